package org.keywell.keypool.hsm.timed;

import java.util.function.LongSupplier;

/** A clock and a sleeper that waits for it. Thread-safe if both are. */
final class ElapsedTime {

  private final LongSupplier nanoClock;
  private final Sleeper sleeper;

  ElapsedTime(LongSupplier nanoClock, Sleeper sleeper) {
    this.nanoClock = nanoClock;
    this.sleeper = sleeper;
  }

  long nowNanos() {
    return nanoClock.getAsLong();
  }

  /** Waits until that time, never less. Keeps waiting when interrupted, and keeps the flag. */
  void sleepUntil(long nanos) {
    boolean interrupted = false;
    while (nanos - nowNanos() > 0) {
      try {
        sleeper.sleepUntil(nanos);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Returns the later of two times of this clock, which may overflow. */
  static long later(long a, long b) {
    return a - b > 0 ? a : b;
  }
}
