package org.keywell.bench.tables.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.loadgen.report.ReportFolder;
import org.keywell.loadgen.report.StaticPage;

/** The files of one run: {@code report.html}, {@code tables.json}, and one CSV file per table. */
public final class TablesFolder {
  private static final String TEMPLATE = "/org/keywell/bench/tables/report/tables.html";
  private static final String TITLE = "Keywell: the thesis's tables";
  private static final String PAGE = "report.html";

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
    ReportFolder folder = ReportFolder.create(path);
    for (MeasuredTable table : run.tables()) {
      Files.writeString(path.resolve(table.id().fileName() + ".csv"), TableCsv.of(table));
    }
    String page = StaticPage.of(TEMPLATE, TITLE, ReportFolder.json(run));
    folder.write(page, PAGE, "tables.json", run);
  }

  public Path reportFile() {
    return path.resolve(PAGE);
  }
}
