package org.keywell.loadgen.overload;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.watch.PoolPoint;

/**
 * One test: a constant rate above the base rate, the prediction and the result.
 *
 * @param number from 1
 * @param perSecond CR
 * @param seconds T, from the first request to one delay after the last
 * @param requests how many were due
 * @param signed how many of them were signed
 * @param actualQueue accepted and not answered when the last request was sent
 * @param polledQueue the longest queue that the service itself reported; null if it reported none
 * @param actualLatencySeconds of the last request, from when it was due; null if it was not signed
 * @param queueAccuracy percent
 * @param latencyAccuracy percent; null if the last request was not signed
 * @param backlog accepted and not answered, over the time of the run
 */
public record OverloadResult(
    int number,
    double perSecond,
    double seconds,
    int requests,
    int signed,
    Prediction predicted,
    int actualQueue,
    @Nullable Integer polledQueue,
    @Nullable Double actualLatencySeconds,
    double queueAccuracy,
    @Nullable Double latencyAccuracy,
    List<Point> backlog) {

  private static final int POINTS = 240;

  /** The backlog at one time, in seconds from the run's start. */
  public record Point(double seconds, int requests) {}

  /** Computes the result from a complete run's samples. */
  public static OverloadResult of(
      int number,
      Prediction predicted,
      Schedule schedule,
      List<Sample> samples,
      List<PoolPoint> pool) {
    Backlog backlog = new Backlog(samples);
    int actualQueue = backlog.at(backlog.lastSentNanos());
    Sample last = samples.getLast();
    Double latency = last.isSigned() ? last.latencyFromDueNanos() / 1e9 : null;
    return new OverloadResult(
        number,
        schedule.highestPerSecond(),
        schedule.durationNanos() / 1e9,
        samples.size(),
        (int) samples.stream().filter(Sample::isSigned).count(),
        predicted,
        actualQueue,
        pool.isEmpty()
            ? null
            : Integer.valueOf(pool.stream().mapToInt(PoolPoint::queueLength).max().orElseThrow()),
        latency,
        Accuracy.percent(predicted.queue(), actualQueue),
        latency == null ? null : Accuracy.percent(predicted.latencySeconds(), latency),
        points(backlog, samples));
  }

  private static List<Point> points(Backlog backlog, List<Sample> samples) {
    long end = Math.max(0, samples.stream().mapToLong(Sample::answeredNanos).max().orElse(0));
    List<Point> points = new ArrayList<>();
    for (int i = 0; i <= POINTS; i++) {
      long nanos = end * i / POINTS;
      points.add(new Point(nanos / 1e9, backlog.at(nanos)));
    }
    return points;
  }

  /** Returns the lower of both accuracies, in percent; empty if there is none for the latency. */
  public OptionalDouble accuracy() {
    return latencyAccuracy == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.min(queueAccuracy, latencyAccuracy));
  }

  public int dropped() {
    return requests - signed;
  }
}
