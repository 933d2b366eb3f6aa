package org.keywell.acceptance.running;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What callers have noticed of a fault since a moment: the first refusal, and the longest time
 * without a signature. Times are of {@link System#nanoTime}. For one thread at a time.
 */
public final class Outage {

  /** As long as this it takes anybody at times, who is not refused. */
  private static final Duration UNNOTICED = Duration.ofMillis(500);

  private final long beganNanos;
  private long lastSignedNanos;
  private long longestNanos;
  private long overNanos;
  private @Nullable Duration refusedAfter;

  Outage(long nowNanos) {
    beganNanos = nowNanos;
    lastSignedNanos = nowNanos;
    overNanos = nowNanos;
  }

  void signed(long nowNanos) {
    long without = nowNanos - lastSignedNanos;
    if (without > longestNanos) {
      longestNanos = without;
      overNanos = nowNanos;
    }
    lastSignedNanos = nowNanos;
  }

  void refused(long nowNanos) {
    if (refusedAfter == null) {
      refusedAfter = Duration.ofNanos(nowNanos - beganNanos);
    }
  }

  /** When the first request was refused; empty if none was. */
  public Optional<Duration> refusedAfter() {
    return Optional.ofNullable(refusedAfter);
  }

  /** The longest time without a signature. */
  public Duration longest() {
    return Duration.ofNanos(longestNanos);
  }

  /**
   * When that was over, less another moment; zero if it was over before that, or so short that
   * nobody noticed.
   */
  public Duration overAfter(long sinceNanos) {
    if (refusedAfter == null && longest().compareTo(UNNOTICED) < 0) {
      return Duration.ZERO;
    }
    return Duration.ofNanos(Math.max(0, overNanos - sinceNanos));
  }
}
