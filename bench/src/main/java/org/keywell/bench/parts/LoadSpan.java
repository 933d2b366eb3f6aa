package org.keywell.bench.parts;

import java.util.List;
import java.util.OptionalDouble;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.watch.PoolPoint;

/**
 * When a batch of keys whose loading was in progress at the start of a run was loaded, as far as
 * polling shows. The time between the two polls around the end belongs to neither side.
 *
 * @param loadingUntilNanos time of the last poll that found keys missing; 0 if none did
 * @param loadedFromNanos time of the first poll after it, which found them all
 */
record LoadSpan(long loadingUntilNanos, long loadedFromNanos) {

  /**
   * Evaluates polls in their order.
   *
   * @param full how many keys are loaded when the batch is
   */
  static LoadSpan of(List<PoolPoint> points, int full) {
    long until = 0;
    long from = Long.MAX_VALUE;
    for (PoolPoint point : points) {
      long nanos = Math.round(point.seconds() * 1e9);
      if (point.loaded() < full) {
        until = nanos;
        from = Long.MAX_VALUE;
      } else if (from == Long.MAX_VALUE) {
        from = nanos;
      }
    }
    return new LoadSpan(until, from);
  }

  /** Whether the request was answered before the batch was loaded. */
  boolean isWhileLoading(Sample sample) {
    return sample.answeredNanos() <= loadingUntilNanos;
  }

  /** Whether the request was due after the batch was loaded. */
  boolean isAfterLoading(Sample sample) {
    return sample.dueNanos() >= loadedFromNanos;
  }

  /** Returns the mean latency since requests were due, in milliseconds; empty without requests. */
  static OptionalDouble meanMillis(List<Sample> samples) {
    return samples.stream().mapToLong(Sample::latencyFromDueNanos).average().stream()
        .map(nanos -> nanos / 1e6)
        .findFirst();
  }
}
