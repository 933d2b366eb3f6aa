package org.keywell.loadgen.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The files of one run: {@code report.html}, {@code run.json}, {@code samples.csv}; or of an
 * experiment with several runs, which are in separate folders below it.
 */
public final class ReportFolder {
  private static final String PAGE = "report.html";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private final Path path;

  private ReportFolder(Path path) {
    this.path = path;
  }

  /**
   * Creates a folder for a run.
   *
   * @throws IOException if it exists and is not empty, or cannot be created
   */
  public static ReportFolder create(Path path) throws IOException {
    requireEmptyOrMissing(path);
    Files.createDirectories(path);
    return new ReportFolder(path);
  }

  /** Returns the folder of an experiment whose runs are already in it. */
  public static ReportFolder around(Path path) {
    return new ReportFolder(path);
  }

  /**
   * Returns normally if {@link #create} would, as far as can be told without creating anything.
   *
   * @throws IOException if there is something in the way
   */
  public static void requireEmptyOrMissing(Path path) throws IOException {
    if (Files.exists(path)) {
      if (!Files.isDirectory(path)) {
        throw new IOException(path + " is not a folder");
      }
      try (Stream<Path> inside = Files.list(path)) {
        if (inside.findAny().isPresent()) {
          throw new IOException(path + " is not empty; a report never replaces another");
        }
      }
    }
  }

  /** Writes all files; run.json comes last, so if it exists, the others are complete. */
  public void write(RunDocument run, Schedule schedule, List<Sample> samples) throws IOException {
    SamplesCsv.write(path.resolve("samples.csv"), schedule, samples);
    write(Pages.of(run), PAGE, "run.json", run);
  }

  /** Writes the page and the figures of two runs side by side. */
  public void write(ComparisonDocument comparison) throws IOException {
    write(Pages.of(comparison), PAGE, "comparison.json", comparison);
  }

  /** Writes the page and the figures of an overload. */
  public void write(OverloadDocument overload) throws IOException {
    write(Pages.of(overload), PAGE, "run.json", overload);
  }

  /**
   * Writes a page, and the figures that it draws.
   *
   * @param name of the figures' file, which comes last: if it exists, the page is complete
   */
  public void write(String page, String pageName, String name, Object figures) throws IOException {
    Files.writeString(path.resolve(pageName), page);
    Path unfinished = path.resolve(name + ".part");
    Files.writeString(unfinished, json(figures));
    Files.move(unfinished, path.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Says what such a folder is instead. */
  private static String inFolderWithoutRun(Path folder) {
    if (Files.exists(folder.resolve("plan.json"))) {
      return "holds a capacity plan; runs are made by load ramp";
    }
    if (Files.exists(folder.resolve("tables.json"))) {
      return "holds tables; runs are made by load ramp";
    }
    return Files.exists(folder.resolve("comparison.json"))
        ? "holds no run: the runs of the comparison in it are in its folders on-the-fly and pooled"
        : "holds no report of a run";
  }

  public Path reportFile() {
    return path.resolve(PAGE);
  }

  /** Returns a document in the form of its file. */
  public static String json(Object document) {
    return JSON.writeValueAsString(document);
  }

  /**
   * Reads a run from a folder, or from a {@code run.json} itself.
   *
   * @throws IOException if there is none, or it does not have the form that this program writes
   */
  public static RunDocument read(Path folderOrFile) throws IOException {
    Path file = Files.isDirectory(folderOrFile) ? folderOrFile.resolve("run.json") : folderOrFile;
    if (!Files.exists(file)) {
      throw new IOException(folderOrFile + " " + inFolderWithoutRun(folderOrFile));
    }
    RunDocument run;
    try {
      run = JSON.readValue(Files.readAllBytes(file), RunDocument.class);
    } catch (JacksonException e) {
      throw new IOException(file + " does not hold a run: " + e.getOriginalMessage(), e);
    }
    if (run.format() < RunDocument.OLDEST_FORMAT || run.format() > RunDocument.FORMAT) {
      throw new IOException(
          "%s has format %d; this program reads %d to %d"
              .formatted(file, run.format(), RunDocument.OLDEST_FORMAT, RunDocument.FORMAT));
    }
    return run;
  }
}
