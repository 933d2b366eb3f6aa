package org.keywell.bench.tables.figure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A time a key (or a request), in milliseconds.
 *
 * @param count how many were timed, at least 1
 * @param totalMillis what they took together
 * @param meanMillis {@code totalMillis / count}
 * @param spread of the single times; null if they were not timed one by one
 */
public record Figure(int count, double totalMillis, double meanMillis, @Nullable Spread spread) {

  /** The least, the middle and the greatest of single times, in milliseconds. */
  public record Spread(double min, double p50, double max) {}

  /**
   * Of times that were taken one by one.
   *
   * @throws IllegalArgumentException if there are none
   */
  public static Figure ofSingles(long[] nanos) {
    requireSome(nanos.length);
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    // Nearest rank: the median is one of the times, not a value between two of them.
    long median = sorted[(sorted.length - 1) / 2];
    return of(
        nanos.length,
        Arrays.stream(nanos).sum(),
        new Spread(sorted[0] / 1e6, median / 1e6, sorted[sorted.length - 1] / 1e6));
  }

  /** The median; the mean of what was not timed one by one. */
  public double typicalMillis() {
    return spread == null ? meanMillis : spread.p50();
  }

  /** Of things that were done in one go, or beside each other. */
  public static Figure ofTogether(int count, long totalNanos) {
    requireSome(count);
    return of(count, totalNanos, null);
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
