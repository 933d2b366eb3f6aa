package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/**
 * How long one stage of a request took, in milliseconds, over the requests that report it.
 *
 * @param p50 null in older reports
 */
public record StageFigures(
    String stage, int requests, @Nullable Double p50, double mean, double p99, double max) {

  static List<StageFigures> of(List<Sample> samples) {
    List<StageFigures> all = new ArrayList<>();
    for (StageTime stage : StageTime.values()) {
      List<Long> nanos = new ArrayList<>();
      for (Sample sample : samples) {
        if (sample.outcome() instanceof Outcome.Signed signed) {
          stage.micros(sample, signed).ifPresent(micros -> nanos.add(micros * 1_000));
        }
      }
      Latency latency = Latency.of(nanos);
      if (latency != null) {
        all.add(
            new StageFigures(
                stage.label(),
                nanos.size(),
                latency.p50(),
                latency.mean(),
                latency.p99(),
                latency.max()));
      }
    }
    return all;
  }

  /**
   * Returns how long the service works on a request: the medians of the stages in which it does,
   * added up; null if it reports none.
   */
  static @Nullable Double workMillis(List<StageFigures> stages) {
    double millis =
        stages.stream()
            .filter(stage -> StageTime.isWork(stage.stage()))
            .mapToDouble(stage -> Objects.requireNonNullElse(stage.p50(), 0.0))
            .sum();
    return millis > 0 ? millis : null;
  }
}
