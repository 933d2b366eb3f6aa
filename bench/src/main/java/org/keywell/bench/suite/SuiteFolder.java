package org.keywell.bench.suite;

import java.io.IOException;
import java.nio.file.Path;
import org.keywell.loadgen.report.ReportFolder;

/** The files of one run: {@code report.html} and {@code bench.json}. */
public final class SuiteFolder {
  private static final String PAGE = "report.html";
  private static final String FIGURES = "bench.json";

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
    ReportFolder.create(path).write(SuitePage.of(ReportFolder.json(run)), PAGE, FIGURES, run);
  }

  public Path reportFile() {
    return path.resolve(PAGE);
  }

  public Path figuresFile() {
    return path.resolve(FIGURES);
  }
}
