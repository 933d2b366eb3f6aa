package org.keywell.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.schedule.Step;

/**
 * The rates in a slice of the run. Slices do not extend across steps, so that a short peak is not
 * averaged away.
 *
 * @param from the slice's start, in seconds from the run's start
 * @param to its end
 * @param due the rate of its step; 0 after the last step
 * @param achieved signed answers per second
 */
public record RatePoint(double from, double to, double due, double achieved) {
  private static final int REQUESTS_PER_SLICE = 25;
  private static final int SLICES_PER_STEP = 60;

  /** Returns slices of the whole run, up to the last answer or the schedule's end. */
  static List<RatePoint> of(Schedule schedule, List<Sample> samples) {
    List<RatePoint> points = new ArrayList<>();
    long last = Math.max(0, samples.stream().mapToLong(Sample::answeredNanos).max().orElse(0));
    boolean complete = samples.size() == schedule.requests();
    for (int i = 0; i < schedule.steps().size(); i++) {
      Step step = schedule.steps().get(i);
      int slices = Math.clamp(step.requests() / REQUESTS_PER_SLICE, 1, SLICES_PER_STEP);
      for (int k = 0; k < slices; k++) {
        long start = schedule.startNanos(i) + step.durationNanos() * k / slices;
        long end = schedule.startNanos(i) + step.durationNanos() * (k + 1) / slices;
        if (complete || start < last) {
          points.add(slice(samples, start, end, step.perSecond()));
        }
      }
    }
    if (last >= schedule.durationNanos()) {
      points.add(slice(samples, schedule.durationNanos(), last + 1, 0));
    }
    return points;
  }

  private static RatePoint slice(List<Sample> samples, long start, long end, double due) {
    double seconds = (end - start) / 1e9;
    long signed = StepFigures.signedBetween(samples, start, end);
    return new RatePoint(start / 1e9, end / 1e9, due, signed / seconds);
  }
}
