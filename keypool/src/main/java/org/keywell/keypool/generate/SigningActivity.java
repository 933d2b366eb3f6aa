package org.keywell.keypool.generate;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Knows whether the device is idle: no request waits or is being signed, and none was for a moment.
 * Sign handlers report to it; generators ask it before each key (thesis section 3.2).
 *
 * <p>Thread-safe.
 */
public final class SigningActivity {

  private final Duration idleAfter;
  private final LongSupplier nanoClock;
  private int inProgress;
  private long lastEndNanos;

  /**
   * @param idleAfter how long nothing must have been signed; zero: the empty queue suffices
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  public SigningActivity(Duration idleAfter, LongSupplier nanoClock) {
    if (idleAfter.isNegative()) {
      throw new IllegalArgumentException("idle-after is negative: " + idleAfter);
    }
    this.idleAfter = idleAfter;
    this.nanoClock = nanoClock;
    this.lastEndNanos = nanoClock.getAsLong() - idleAfter.toNanos();
  }

  /** A request was accepted. Each call is followed by one of {@link #ended}. */
  public synchronized void began() {
    inProgress++;
  }

  /** A request that was accepted is done with the device, whatever its outcome. */
  public synchronized void ended() {
    inProgress--;
    lastEndNanos = nanoClock.getAsLong();
    notifyAll();
  }

  public synchronized boolean isIdle() {
    return inProgress == 0 && nanosUntilIdle() <= 0;
  }

  /**
   * Waits until the device is idle.
   *
   * @param maxWait more than zero
   * @return whether it is idle
   */
  public synchronized boolean awaitIdle(Duration maxWait) throws InterruptedException {
    long deadline = nanoClock.getAsLong() + maxWait.toNanos();
    while (!isIdle()) {
      long left = deadline - nanoClock.getAsLong();
      if (left <= 0) {
        return false;
      }
      long nanos = inProgress > 0 ? left : Math.min(left, nanosUntilIdle());
      wait(nanos / 1_000_000, (int) (nanos % 1_000_000));
    }
    return true;
  }

  private long nanosUntilIdle() {
    return lastEndNanos + idleAfter.toNanos() - nanoClock.getAsLong();
  }
}
