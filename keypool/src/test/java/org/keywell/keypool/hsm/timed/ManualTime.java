package org.keywell.keypool.hsm.timed;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** A clock that stands still until a test moves it; sleepers wait for that. */
final class ManualTime implements LongSupplier, Sleeper {

  // Overflows during the tests, as System.nanoTime may.
  private long nowNanos = Long.MAX_VALUE - TimeUnit.MILLISECONDS.toNanos(15);
  private final long startNanos = nowNanos;

  @Override
  public synchronized long getAsLong() {
    return nowNanos;
  }

  @Override
  public synchronized void sleepUntil(long nanos) throws InterruptedException {
    while (nanos - nowNanos > 0) {
      wait();
    }
  }

  /** Milliseconds since the beginning. */
  synchronized long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nowNanos - startNanos);
  }

  void advanceTo(long millis) {
    advanceToNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  synchronized void advanceToNanos(long nanosSinceStart) {
    nowNanos = startNanos + nanosSinceStart;
    notifyAll();
  }
}
