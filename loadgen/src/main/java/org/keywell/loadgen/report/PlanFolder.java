package org.keywell.loadgen.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.keywell.loadgen.plan.Plan;
import org.keywell.loadgen.plan.PlanSettings;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The files of one plan: {@code plan.html}, {@code plan.json}. */
public final class PlanFolder {
  public static final String PAGE = "plan.html";

  private static final String FIGURES = "plan.json";
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Path path;

  private PlanFolder(Path path) {
    this.path = path;
  }

  /**
   * Makes a folder for a plan.
   *
   * @throws IOException if there is one already that is not empty, or it cannot be made
   */
  public static PlanFolder create(Path path) throws IOException {
    ReportFolder.makeEmpty(path);
    return new PlanFolder(path);
  }

  /** Writes both files; plan.json comes last, so that where it is, the other is complete. */
  public void write(Plan plan, PlanSettings settings) throws IOException {
    Files.writeString(path.resolve(PAGE), Pages.of(plan, settings));
    Path unfinished = path.resolve(FIGURES + ".part");
    Files.writeString(unfinished, json(plan));
    Files.move(unfinished, path.resolve(FIGURES), StandardCopyOption.ATOMIC_MOVE);
  }

  /** The plan as {@code plan.json} has it. */
  public static String json(Plan plan) {
    return JSON.writeValueAsString(plan);
  }
}
