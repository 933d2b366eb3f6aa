package org.keywell.loadgen.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;

/**
 * All figures that are computed only from a run's samples.
 *
 * @param peak results around the highest rate; null if the run did not get past it
 * @param sendLateness how late the driver was; null if it sent nothing
 */
public record RunFigures(
    Figures totals,
    List<StepFigures> steps,
    List<StageFigures> stages,
    @Nullable PeakFigures peak,
    List<RatePoint> rates,
    double durationSeconds,
    @Nullable Latency sendLateness) {

  /** Computes them from the samples of a run of {@code schedule}, in order. */
  public static RunFigures of(Schedule schedule, List<Sample> samples) {
    List<Sample> sent = samples.stream().filter(s -> s.sentNanos() != Sample.NEVER).toList();
    return new RunFigures(
        Figures.of(samples),
        StepFigures.of(schedule, samples),
        StageFigures.of(samples),
        PeakFigures.of(schedule, samples).orElse(null),
        RatePoint.of(schedule, samples),
        Math.max(0, samples.stream().mapToLong(Sample::answeredNanos).max().orElse(0)) / 1e9,
        Latency.of(Figures.nanos(sent, Sample::lateNanos)));
  }
}
