package org.keywell.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.keywell.loadgen.report.ReportFolder;

/** The files of one run: {@code report.html}, its figures, and what else it has. */
public final class ResultFolder {
  private static final String PAGE = "report.html";

  private final Path path;
  private final String figures;

  private ResultFolder(Path path, String figures) {
    this.path = path;
    this.figures = figures;
  }

  /**
   * Returns a folder for a run; it is created when there is something to write.
   *
   * @param figures the name of the file with all figures
   * @throws IOException if it exists and is not empty
   */
  public static ResultFolder at(Path path, String figures) throws IOException {
    ReportFolder.requireEmptyOrMissing(path);
    return new ResultFolder(path, figures);
  }

  /**
   * Writes all files; the figures come last: where they exist, the others are complete.
   *
   * @param others texts by the names of their files
   */
  public void write(String page, Map<String, String> others, Object document) throws IOException {
    ReportFolder folder = ReportFolder.create(path);
    for (Map.Entry<String, String> other : others.entrySet()) {
      Files.writeString(path.resolve(other.getKey()), other.getValue());
    }
    folder.write(page, PAGE, figures, document);
  }

  public Path reportFile() {
    return path.resolve(PAGE);
  }

  public Path figuresFile() {
    return path.resolve(figures);
  }
}
