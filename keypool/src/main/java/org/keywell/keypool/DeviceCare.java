package org.keywell.keypool;

import java.time.Duration;
import org.keywell.keypool.hsm.HsmHealth;

/**
 * Decides what a device needs next, from how it is. A lost device is reopened at once; after
 * failures to do so, attempts pause for one second to thirty. A device that loses its sessions
 * again and again is not reopened all the time: {@value #REOPENINGS_IN_A_ROW} attempts may follow
 * each other at once, and one more every {@link #REOPENING_EVERY}. For one thread.
 */
final class DeviceCare {

  /** What is to be done. */
  enum Step {
    /** Nothing: the device works, or only time helps. */
    NOTHING,
    /** To ask an idle device whether it is still there. */
    PROBE,
    /** To have a device in doubt, down or full, do what failed. */
    PROVE,
    /** To open a device anew that lost its sessions, its login or its keys. */
    REOPEN
  }

  static final Duration IDLE = Duration.ofSeconds(5);

  /** Within any minute, twice as many at the most. */
  static final int REOPENINGS_IN_A_ROW = 6;

  static final Duration REOPENING_EVERY = Duration.ofSeconds(10);

  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  private long attemptedNanos;
  private Duration pause = Duration.ZERO;

  /** At the last attempt: how long until the whole row is allowed again. */
  private Duration owed = Duration.ZERO;

  /**
   * @param full whether it had no room for the last key that was to be brought into it
   */
  Step next(HsmHealth health, boolean full, long nowNanos) {
    if (!health.loggedIn()) {
      return mayReopen(nowNanos) ? Step.REOPEN : Step.NOTHING;
    }
    if (health.hung()) {
      return Step.NOTHING;
    }
    if (full || health.down().isPresent()) {
      return Step.PROVE;
    }
    if (health.callsInProgress() > 0 || nowNanos - health.lastSuccessNanos() < IDLE.toNanos()) {
      return Step.NOTHING;
    }
    return health.state() == HsmHealth.State.DOUBTFUL ? Step.PROVE : Step.PROBE;
  }

  /** The device is about to be reopened; {@link #reopened} or {@link #notReopened} follows. */
  void reopening(long nowNanos) {
    owed = owedNow(nowNanos).plus(REOPENING_EVERY);
    attemptedNanos = nowNanos;
  }

  /** The last attempt succeeded. */
  void reopened() {
    pauses.succeeded();
    pause = Duration.ZERO;
  }

  /** The last attempt failed: the next one waits, counted from its start. */
  void notReopened() {
    pause = pauses.afterFailure();
  }

  private boolean mayReopen(long nowNanos) {
    Duration row = REOPENING_EVERY.multipliedBy(REOPENINGS_IN_A_ROW);
    boolean paused = pause.isPositive() && nowNanos - attemptedNanos < pause.toNanos();
    return !paused && owedNow(nowNanos).plus(REOPENING_EVERY).compareTo(row) <= 0;
  }

  private Duration owedNow(long nowNanos) {
    Duration left = owed.minusNanos(nowNanos - attemptedNanos);
    return owed.isZero() || left.isNegative() ? Duration.ZERO : left;
  }
}
