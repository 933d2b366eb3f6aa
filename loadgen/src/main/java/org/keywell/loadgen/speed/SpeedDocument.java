package org.keywell.loadgen.speed;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.report.RunEnvironment;

/**
 * All data of a run, as in {@code speed.json}.
 *
 * @param format the version of this format
 * @param startedAt RFC 3339
 */
public record SpeedDocument(
    int format,
    String startedAt,
    double durationSeconds,
    RunEnvironment environment,
    SpeedPlan plan,
    List<SpeedRow> rows) {
  private static final int FORMAT = 1;

  public SpeedDocument(
      String startedAt,
      double durationSeconds,
      RunEnvironment environment,
      SpeedPlan plan,
      List<SpeedRow> rows) {
    this(FORMAT, startedAt, durationSeconds, environment, plan, List.copyOf(rows));
  }

  /** Returns a line for each measurement; figures that are not published are empty. */
  public String csv() {
    StringBuilder csv =
        new StringBuilder(
            "operation,clients,connections,operations,seconds,per_minute,published_per_minute\n");
    for (SpeedRow row : rows) {
      PublishedRate published = row.published();
      append(csv, row, "new", row.fresh(), published == null ? null : published.fresh());
      append(csv, row, "kept", row.kept(), published == null ? null : published.kept());
    }
    return csv.toString();
  }

  private static void append(
      StringBuilder csv, SpeedRow row, String mode, SpeedTrial trial, @Nullable Double published) {
    csv.append(
        "%s,%d,%s,%d,%.3f,%.1f,%s\n"
            .formatted(
                row.operation(),
                row.clients(),
                mode,
                trial.operations(),
                trial.seconds(),
                trial.perMinute(),
                published == null ? "" : "%.0f".formatted(published)));
  }
}
