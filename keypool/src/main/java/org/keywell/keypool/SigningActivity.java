package org.keywell.keypool;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Knows whether a request is at hand: waits or is being signed, or did so a moment ago. Any device
 * that signs may get it, so it is one for all of them. Who admits requests reports to it.
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

  /** Whether no request is at hand, and none was for a moment. */
  synchronized boolean isIdle() {
    return nanosUntilIdle(nanoClock.getAsLong()) <= 0;
  }

  /** How long no request has been at hand; zero while one is. */
  synchronized Duration idleFor() {
    return inProgress > 0
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, nanoClock.getAsLong() - lastEndNanos));
  }

  /**
   * Waits until no request has been at hand for a moment.
   *
   * @param maxWait more than zero
   * @param notBefore and until this time of the clock has come, which may be put off meanwhile
   * @return whether it is so
   */
  synchronized boolean awaitIdle(Duration maxWait, LongSupplier notBefore)
      throws InterruptedException {
    long now = nanoClock.getAsLong();
    long deadline = now + maxWait.toNanos();
    while (true) {
      // One reading decides both: between two, the wait could shrink to 0, which means for ever.
      long untilIdle = Math.max(nanosUntilIdle(now), notBefore.getAsLong() - now);
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
