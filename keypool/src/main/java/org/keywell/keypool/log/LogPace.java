package org.keywell.keypool.log;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Says when one of many log lines of a kind is due: the first at once, then at most one a minute,
 * with the number of occurrences since the last. Metrics count each occurrence. Thread-safe.
 */
public final class LogPace {

  static final Duration EVERY = Duration.ofMinutes(1);

  private final LongSupplier nanoClock;
  private boolean begun;
  private long saidNanos;
  private long unsaid;

  /**
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  public LogPace(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Counts occurrences.
   *
   * @return how many occurrences a line should report; 0 if none is due
   */
  public synchronized long due(int occurred) {
    long now = nanoClock.getAsLong();
    unsaid += occurred;
    if (unsaid == 0 || (begun && now - saidNanos < EVERY.toNanos())) {
      return 0;
    }
    begun = true;
    saidNanos = now;
    long told = unsaid;
    unsaid = 0;
    return told;
  }
}
