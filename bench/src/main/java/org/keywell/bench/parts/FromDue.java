package org.keywell.bench.parts;

import java.util.List;
import org.keywell.loadgen.drive.Sample;

/**
 * Latencies of scheduled requests in milliseconds from when each was due, by nearest rank. A
 * request that was not signed counts as long as a caller waits for one.
 *
 * @param notSigned number of requests that were not signed
 */
record FromDue(double p50, double p99, int notSigned) {
  private static final double NANOS_PER_MILLI = 1e6;

  /** Evaluates the samples of a run, or of a part of it; at least one. */
  static FromDue of(List<Sample> samples) {
    List<Double> millis = samples.stream().map(FromDue::millis).sorted().toList();
    return new FromDue(
        percentile(50, millis),
        percentile(99, millis),
        (int) samples.stream().filter(sample -> !sample.isSigned()).count());
  }

  private static double millis(Sample sample) {
    return sample.isSigned()
        ? sample.latencyFromDueNanos() / NANOS_PER_MILLI
        : SteadyLoad.DEADLINE.toMillis();
  }

  private static double percentile(int percent, List<Double> sorted) {
    return sorted.get(Math.ceilDiv(percent * sorted.size(), 100) - 1);
  }
}
