package org.keywell.keypool;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tracks whether a request waits or is being signed, or did so a moment ago. All signing devices
 * share it, since any of them may get the request. The code that admits requests reports to it.
 *
 * <p>Thread-safe.
 */
final class SigningActivity {

  private final Duration idleAfter;
  private final LongSupplier nanoClock;
  private int inProgress;
  private long lastEndNanos;

  /**
   * @param idleAfter how long no request must have been in progress; zero: none now suffices
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

  /** Reports an accepted request. Each call is followed by one of {@link #ended}. */
  synchronized void began() {
    inProgress++;
  }

  /** Reports that an accepted request no longer needs the device, regardless of its outcome. */
  synchronized void ended() {
    inProgress--;
    lastEndNanos = nanoClock.getAsLong();
    notifyAll();
  }

  /** Whether no request is in progress, and none was for a moment. */
  synchronized boolean isIdle() {
    return nanosUntilIdle(nanoClock.getAsLong()) <= 0;
  }

  /** Returns how long no request has been in progress; zero while one is. */
  synchronized Duration idleFor() {
    return inProgress > 0
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, nanoClock.getAsLong() - lastEndNanos));
  }

  /**
   * Waits until no request has been in progress for a moment.
   *
   * @param maxWait more than zero
   * @param notBefore a clock time that must also have passed; it may be postponed meanwhile
   * @return false if {@code maxWait} passed first
   */
  synchronized boolean awaitIdle(Duration maxWait, LongSupplier notBefore)
      throws InterruptedException {
    long now = nanoClock.getAsLong();
    long deadline = now + maxWait.toNanos();
    while (true) {
      // One reading decides both, so that the wait is always longer than zero.
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
