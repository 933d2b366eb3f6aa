package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;

/**
 * The rates in a slice of the run.
 *
 * @param seconds the slice's middle, from the run's start
 * @param due the mean rate at that sends were due
 * @param achieved signed answers per second
 */
public record RatePoint(double seconds, double due, double achieved) {
  private static final int SLICES = 120;

  /** Slices of the whole run, up to the last answer or the schedule's end. */
  static List<RatePoint> of(Schedule schedule, List<Sample> samples) {
    long last = samples.stream().mapToLong(Sample::answeredNanos).max().orElse(0);
    boolean complete = samples.size() == schedule.requests();
    long end = Math.max(1, complete ? Math.max(last, schedule.durationNanos()) : last);
    double width = (double) end / SLICES;
    int[] due = new int[SLICES];
    int[] achieved = new int[SLICES];
    for (Sample sample : samples) {
      due[slice(sample.dueNanos(), width)]++;
      if (sample.isSigned()) {
        achieved[slice(sample.answeredNanos(), width)]++;
      }
    }
    List<RatePoint> points = new ArrayList<>();
    for (int i = 0; i < SLICES; i++) {
      double seconds = width / 1e9;
      points.add(new RatePoint((i + 0.5) * seconds, due[i] / seconds, achieved[i] / seconds));
    }
    return points;
  }

  private static int slice(long nanos, double width) {
    return Math.clamp((long) (nanos / width), 0, SLICES - 1);
  }
}
