package org.keywell.keypool;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Knows whether the device is idle: no request waits or is being signed, and none was for a moment.
 * Sign handlers report to it; generators ask it before each key (thesis section 3.2).
 *
 * <p>Thread-safe.
 */
final class SigningActivity {

  private final Duration idleAfter;
  private final LongSupplier nanoClock;
  private int inProgress;
  private long lastEndNanos;

  /**
   * @param idleAfter how long nothing must have been signed; zero: the empty queue suffices
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  SigningActivity(Duration idleAfter, LongSupplier nanoClock) {
    if (idleAfter.isNegative()) {
      throw new IllegalArgumentException("idle-after is negative: " + idleAfter);
    }
    this.idleAfter = idleAfter;
    this.nanoClock = nanoClock;
    this.lastEndNanos = nanoClock.getAsLong() - idleAfter.toNanos();
  }

  /** A request was accepted. Each call is followed by one of {@link #ended}. */
  synchronized void began() {
    inProgress++;
  }

  /** A request that was accepted is done with the device, whatever its outcome. */
  synchronized void ended() {
    inProgress--;
    lastEndNanos = nanoClock.getAsLong();
    notifyAll();
  }

  synchronized boolean isIdle() {
    return nanosUntilIdle(nanoClock.getAsLong()) <= 0;
  }

  /**
   * Waits until the device is idle.
   *
   * @param maxWait more than zero
   * @return whether it is idle
   */
  synchronized boolean awaitIdle(Duration maxWait) throws InterruptedException {
    long now = nanoClock.getAsLong();
    long deadline = now + maxWait.toNanos();
    while (true) {
      // One reading decides both: between two, the wait could shrink to 0, which means for ever.
      long untilIdle = nanosUntilIdle(now);
      if (untilIdle <= 0) {
        return true;
      }
      long left = deadline - now;
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, untilIdle));
      now = nanoClock.getAsLong();
    }
  }

  private long nanosUntilIdle(long now) {
    return inProgress > 0 ? Long.MAX_VALUE : lastEndNanos + idleAfter.toNanos() - now;
  }
}
