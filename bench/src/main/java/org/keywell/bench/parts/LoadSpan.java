package org.keywell.bench.parts;

import java.util.List;
import java.util.OptionalDouble;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.watch.PoolPoint;

/**
 * When a batch of keys was loaded that was under way when a run began, as far as looking at the
 * pool tells. What lies between the two looks that see it end belongs to neither side.
 *
 * @param loadingUntilNanos of the last look that found keys missing; 0 if none did
 * @param loadedFromNanos of the first look after it, which found them all
 */
record LoadSpan(long loadingUntilNanos, long loadedFromNanos) {

  /**
   * From looks in their order.
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

  /** Whether the request had its answer before the batch was loaded. */
  boolean isWhileLoading(Sample sample) {
    return sample.answeredNanos() <= loadingUntilNanos;
  }

  /** Whether the request came after the batch was loaded. */
  boolean isAfterLoading(Sample sample) {
    return sample.dueNanos() >= loadedFromNanos;
  }

  /** From when requests were due, in milliseconds; empty if there are none. */
  static OptionalDouble meanMillis(List<Sample> samples) {
    return samples.stream().mapToLong(Sample::latencyFromDueNanos).average().stream()
        .map(nanos -> nanos / 1e6)
        .findFirst();
  }
}
