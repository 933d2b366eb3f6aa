package org.keywell.bench.tables.figure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.keywell.loadgen.drive.Latencies;

/**
 * A time per key or request, in milliseconds.
 *
 * @param count how many were timed, at least 1
 * @param totalMillis total time
 * @param meanMillis {@code totalMillis / count}
 * @param spread of the single times; null if they were not timed one by one
 */
public record Figure(int count, double totalMillis, double meanMillis, @Nullable Spread spread) {

  /** Minimum, median and maximum of single times, in milliseconds. */
  public record Spread(double min, double p50, double max) {}

  /**
   * Creates a figure from times taken one by one.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Figure ofSingles(long[] nanos) {
    requireSome(nanos.length);
    double min = Arrays.stream(nanos).min().orElseThrow() / 1e6;
    double max = Arrays.stream(nanos).max().orElseThrow() / 1e6;
    double median = Latencies.of(Arrays.stream(nanos).boxed().toList()).percentileMillis(50);
    // A histogram's value may exceed those that it represents, by its precision.
    return of(
        nanos.length,
        Arrays.stream(nanos).sum(),
        new Spread(min, Math.clamp(median, min, max), max));
  }

  /** Creates a figure for operations timed together or run concurrently. */
  public static Figure ofTogether(int count, long totalNanos) {
    requireSome(count);
    return of(count, totalNanos, null);
  }

  /** Returns the median; the mean of what was not timed one by one. */
  public double typicalMillis() {
    return spread == null ? meanMillis : spread.p50();
  }

  private static void requireSome(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("nothing was timed");
    }
  }

  private static Figure of(int count, long totalNanos, @Nullable Spread spread) {
    return new Figure(count, totalNanos / 1e6, totalNanos / 1e6 / count, spread);
  }
}
