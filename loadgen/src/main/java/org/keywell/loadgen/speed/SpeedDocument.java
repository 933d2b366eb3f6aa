package org.keywell.loadgen.speed;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.RunEnvironment;

/**
 * All data of a run, as in {@code speed.json}.
 *
 * @param format the version of this format
 * @param startedAt RFC 3339
 * @param without why something was not measured, by what it is about
 */
public record SpeedDocument(
    int format,
    String startedAt,
    double durationSeconds,
    RunEnvironment environment,
    SpeedPlan plan,
    List<SpeedRow> rows,
    Map<SpeedSystem, String> without) {
  private static final int FORMAT = 2;

  public SpeedDocument(
      String startedAt,
      double durationSeconds,
      RunEnvironment environment,
      SpeedPlan plan,
      List<SpeedRow> rows,
      Map<SpeedSystem, String> without) {
    this(
        FORMAT,
        startedAt,
        durationSeconds,
        environment,
        plan,
        List.copyOf(rows),
        Map.copyOf(without));
  }

  /** Returns a line for each measurement; figures that are not published are empty. */
  public String csv() {
    StringBuilder csv =
        new StringBuilder(
            "system,operation,clients,connections,operations,seconds,per_minute,"
                + "published_per_minute\n");
    for (SpeedRow row : rows) {
      append(csv, row, "new", row.fresh(), row.published(false));
      append(csv, row, "kept", row.kept(), row.published(true));
    }
    return csv.toString();
  }

  private static void append(
      StringBuilder csv, SpeedRow row, String mode, SpeedTrial trial, @Nullable Double published) {
    csv.append(
        "%s,%s,%d,%s,%d,%.3f,%.1f,%s\n"
            .formatted(
                row.system(),
                row.operation(),
                row.clients(),
                mode,
                trial.operations(),
                trial.seconds(),
                trial.perMinute(),
                published == null ? "" : "%.0f".formatted(published)));
  }
}
