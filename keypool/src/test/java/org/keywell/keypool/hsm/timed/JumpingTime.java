package org.keywell.keypool.hsm.timed;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A clock that jumps to whatever time somebody waits for. */
final class JumpingTime implements LongSupplier, Sleeper {

  private long nowNanos;

  @Override
  public synchronized long getAsLong() {
    return nowNanos;
  }

  @Override
  public synchronized void sleepUntil(long nanos) {
    nowNanos = Math.max(nowNanos, nanos);
  }

  /** Milliseconds since the beginning. */
  synchronized long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nowNanos);
  }
}
