package org.keywell.bench.parts;

import java.util.List;
import org.keywell.loadgen.drive.Latencies;

/** Figures of one caller who sends a request as soon as the one before is answered. */
record OneByOne(double perSecond, double meanMillis, double p50Millis, double p99Millis) {

  /**
   * Evaluates a run.
   *
   * @param nanos the latency of each request; at least one
   * @param elapsedNanos from the first request to the last answer
   */
  static OneByOne of(List<Long> nanos, long elapsedNanos) {
    Latencies latencies = Latencies.of(nanos);
    return new OneByOne(
        nanos.size() * 1e9 / elapsedNanos,
        nanos.stream().mapToLong(Long::longValue).average().orElseThrow() / 1e6,
        latencies.percentileMillis(50),
        latencies.percentileMillis(99));
  }
}
