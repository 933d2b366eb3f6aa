package org.keywell.cli;

import java.util.Locale;
import java.util.function.LongSupplier;

/** How far work on a known number of things has come, in a line. Thread-safe. */
final class CountedProgress {
  private static final double SHORTEST_SECONDS = 0.5;

  private final String before;
  private final String kind;
  private final long wanted;
  private final LongSupplier nanoClock;
  private long first = -1;
  private long firstNanos;
  private long latest;

  /**
   * @param before the line until a number is reported
   */
  CountedProgress(String before, String kind, long wanted, LongSupplier nanoClock) {
    this.before = before;
    this.kind = kind;
    this.wanted = wanted;
    this.nanoClock = nanoClock;
  }

  /** What the first call reports does not count as speed. */
  synchronized void reached(long count) {
    if (first < 0) {
      first = count;
      firstNanos = nanoClock.getAsLong();
    }
    latest = Math.min(count, wanted);
  }

  /** Whether a number was reported. */
  synchronized boolean begun() {
    return first >= 0;
  }

  /** Returns speed and time left as well, once there is enough data. */
  synchronized String line() {
    if (first < 0) {
      return before;
    }
    String line = "%s %d/%d".formatted(kind, latest, wanted);
    double seconds = (nanoClock.getAsLong() - firstNanos) / 1e9;
    if (latest <= first || seconds < SHORTEST_SECONDS) {
      return line;
    }
    double perSecond = (latest - first) / seconds;
    String pace = String.format(Locale.ROOT, "%s  %.1f/s", line, perSecond);
    long left = (long) Math.ceil((wanted - latest) / perSecond);
    return left == 0 ? pace : "%s  %d s left".formatted(pace, left);
  }
}
