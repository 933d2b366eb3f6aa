package org.keywell.signing.log;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long checkpoints have been waiting for their witnesses. A log that is busy always has entries
 * that wait: what counts is how long the same ones do. Thread-safe.
 */
final class Unwitnessed {

  private final LongSupplier nanoClock;

  /** A size that was signed, and not witnessed, at {@link #sinceNanos}; 0: nothing waits. */
  private long awaited;

  private long sinceNanos;
  private long entries;

  Unwitnessed(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Takes note of how far the log is signed, and how far witnessed. */
  synchronized void saw(long signed, long witnessed) {
    entries = Math.max(0, signed - witnessed);
    if (witnessed >= awaited) {
      awaited = entries == 0 ? 0 : signed;
      sinceNanos = nanoClock.getAsLong();
    }
  }

  synchronized Duration age() {
    return awaited == 0 ? Duration.ZERO : Duration.ofNanos(nanoClock.getAsLong() - sinceNanos);
  }

  synchronized long entries() {
    return entries;
  }
}
