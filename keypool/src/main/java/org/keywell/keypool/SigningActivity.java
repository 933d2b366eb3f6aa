package org.keywell.keypool;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Knows whether a device is idle: no request waits or is being signed, and none was for a moment;
 * nor does another instance use it, as far as that is known. Sign handlers report to it; generators
 * ask it before each key (thesis section 3.2).
 *
 * <p>Thread-safe.
 */
final class SigningActivity {

  private final Duration idleAfter;
  private final LongSupplier nanoClock;
  private int inProgress;
  private long lastEndNanos;
  private long elsewhereUntilNanos;

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
    this.elsewhereUntilNanos = lastEndNanos;
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

  /** Another instance uses the device; that counts for generators, for so long from now on. */
  synchronized void busyElsewhere(Duration time) {
    elsewhereUntilNanos = nanoClock.getAsLong() + time.toNanos();
  }

  /** Whether no request of this instance is at hand, and none was for a moment. */
  synchronized boolean isIdle() {
    return nanosUntilIdle(nanoClock.getAsLong()) <= 0;
  }

  /** How long no request of this instance has been at hand; zero while one is. */
  synchronized Duration idleFor() {
    return inProgress > 0
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, nanoClock.getAsLong() - lastEndNanos));
  }

  /** Whether the device is idle, for all that is known. */
  synchronized boolean mayGenerate() {
    return nanosUntilFree(nanoClock.getAsLong()) <= 0;
  }

  /**
   * Waits until {@link #mayGenerate}.
   *
   * @param maxWait more than zero
   * @return whether it is so
   */
  synchronized boolean awaitIdle(Duration maxWait) throws InterruptedException {
    long now = nanoClock.getAsLong();
    long deadline = now + maxWait.toNanos();
    while (true) {
      // One reading decides both: between two, the wait could shrink to 0, which means for ever.
      long untilFree = nanosUntilFree(now);
      if (untilFree <= 0) {
        return true;
      }
      long left = deadline - now;
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, untilFree));
      now = nanoClock.getAsLong();
    }
  }

  private long nanosUntilFree(long now) {
    return Math.max(nanosUntilIdle(now), elsewhereUntilNanos - now);
  }

  private long nanosUntilIdle(long now) {
    return inProgress > 0 ? Long.MAX_VALUE : lastEndNanos + idleAfter.toNanos() - now;
  }
}
