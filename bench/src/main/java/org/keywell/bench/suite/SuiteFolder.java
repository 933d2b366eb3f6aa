package org.keywell.bench.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.keywell.loadgen.report.ReportFolder;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The files of one run: {@code report.html} and {@code bench.json}. */
public final class SuiteFolder {
  private static final String FIGURES = "bench.json";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Path path;

  private SuiteFolder(Path path) {
    this.path = path;
  }

  /**
   * Returns a folder for a run; it is created when there is something to write.
   *
   * @throws IOException if it exists and is not empty
   */
  public static SuiteFolder at(Path path) throws IOException {
    ReportFolder.requireEmptyOrMissing(path);
    return new SuiteFolder(path);
  }

  /** Writes all files; bench.json comes last: where it exists, the others are complete. */
  public void write(SuiteDocument run) throws IOException {
    Files.createDirectories(path);
    String json = JSON.writeValueAsString(run);
    Files.writeString(reportFile(), SuitePage.of(json));
    Path unfinished = path.resolve(FIGURES + ".part");
    Files.writeString(unfinished, json);
    Files.move(unfinished, figuresFile(), StandardCopyOption.ATOMIC_MOVE);
  }

  public Path reportFile() {
    return path.resolve("report.html");
  }

  public Path figuresFile() {
    return path.resolve(FIGURES);
  }
}
