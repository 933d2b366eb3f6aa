package org.keywell.loadgen.report;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.drive.Latencies;

/**
 * Latencies in milliseconds. Percentiles come from an HdrHistogram with three significant digits,
 * mean and maximum from the values themselves.
 */
public record Latency(double p50, double p90, double p99, double p999, double max, double mean) {

  /** Returns null if there are no values. */
  static @Nullable Latency of(List<Long> nanos) {
    if (nanos.isEmpty()) {
      return null;
    }
    Latencies histogram = Latencies.of(nanos);
    double max = nanos.stream().mapToLong(Long::longValue).max().orElseThrow() / 1e6;
    return new Latency(
        // A histogram rounds up to its own precision; nothing exceeds the maximum.
        Math.min(max, histogram.percentileMillis(50)),
        Math.min(max, histogram.percentileMillis(90)),
        Math.min(max, histogram.percentileMillis(99)),
        Math.min(max, histogram.percentileMillis(99.9)),
        max,
        nanos.stream().mapToLong(Long::longValue).average().orElseThrow() / 1e6);
  }

  static Latency orZero(@Nullable Latency latency) {
    return Objects.requireNonNullElse(latency, new Latency(0, 0, 0, 0, 0, 0));
  }
}
