package org.keywell.bench.tables.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.StaticPage;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The files of one run: {@code report.html}, {@code tables.json}, and one CSV file per table. */
public final class TablesFolder {
  private static final String TEMPLATE = "/org/keywell/bench/tables/report/tables.html";
  private static final String TITLE = "Keywell: the thesis's tables";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Path path;

  private TablesFolder(Path path) {
    this.path = path;
  }

  /**
   * Returns a folder for a run; it is created when there is something to write.
   *
   * @throws IOException if it exists and is not empty
   */
  public static TablesFolder at(Path path) throws IOException {
    ReportFolder.requireEmptyOrMissing(path);
    return new TablesFolder(path);
  }

  /** Writes all files; tables.json comes last: where it exists, the others are complete. */
  public void write(TablesDocument run) throws IOException {
    Files.createDirectories(path);
    for (TablesDocument.Entry entry : run.tables()) {
      Files.writeString(
          path.resolve(entry.table().fileName() + ".csv"),
          TableCsv.of(new MeasuredTable(entry.table(), entry.rows())));
    }
    String json = JSON.writeValueAsString(run);
    Files.writeString(reportFile(), StaticPage.of(TEMPLATE, TITLE, json));
    Path unfinished = path.resolve("tables.json.part");
    Files.writeString(unfinished, json);
    Files.move(unfinished, path.resolve("tables.json"), StandardCopyOption.ATOMIC_MOVE);
  }

  public Path reportFile() {
    return path.resolve("report.html");
  }
}
