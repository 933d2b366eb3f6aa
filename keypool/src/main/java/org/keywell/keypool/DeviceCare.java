package org.keywell.keypool;

import java.time.Duration;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.worker.Backoff;

/**
 * Decides what a device needs next, based on its health. A lost device is reopened at once; after a
 * failed attempt, the next one waits one to thirty seconds. A device that keeps losing its sessions
 * is not reopened all the time: {@value #REOPENINGS_IN_A_ROW} attempts may follow each other at
 * once, and one more every {@link #REOPENING_EVERY}. A device whose proofs keep failing is given up
 * for lost; if that does not help, after twice as many proofs the next time, up to {@value
 * #MOST_TIMES} times as many. Not thread-safe.
 */
final class DeviceCare {

  /** What to do next. */
  enum Step {
    /** Nothing: the device works, or only time helps. */
    NOTHING,
    /** Ask an idle device whether it is still there. */
    PROBE,
    /** Have a device that is in doubt, down or full do what failed. */
    PROVE,
    /** Reopen a device that lost its sessions, its login or its keys. */
    REOPEN
  }

  static final Duration IDLE = Duration.ofSeconds(5);

  /** At most twice this many within any minute. */
  static final int REOPENINGS_IN_A_ROW = 6;

  static final Duration REOPENING_EVERY = Duration.ofSeconds(10);

  static final int MOST_TIMES = 32;

  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  private long attemptedNanos;
  private Duration pause = Duration.ZERO;

  /** At the last attempt: the time until all attempts in a row are allowed again. */
  private Duration owed = Duration.ZERO;

  private final int failedProofs;
  private int proofsFailed;

  /** How many times {@link #failedProofs} have to fail next. */
  private int times = 1;

  /**
   * @param failedProofs proofs that fail in a row before the device counts as lost; 0: never
   */
  DeviceCare(int failedProofs) {
    this.failedProofs = failedProofs;
  }

  /** Notes that the device has proved itself. */
  void proved() {
    proofsFailed = 0;
    times = 1;
  }

  /** Notes that it has not. Returns whether it counts as lost now. */
  boolean notProved() {
    proofsFailed++;
    return failedProofs > 0 && proofsFailed == failedProofs * times;
  }

  /** Returns how many proofs have failed in a row. */
  int proofsFailed() {
    return proofsFailed;
  }

  /**
   * @param full whether the last unwrap or the last generation found no room
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

  /** Notes the start of an attempt; {@link #reopened} or {@link #notReopened} follows. */
  void reopening(long nowNanos) {
    owed = owedNow(nowNanos).plus(REOPENING_EVERY);
    attemptedNanos = nowNanos;
  }

  /** Notes that the last attempt succeeded. */
  void reopened() {
    if (proofsFailed > 0) {
      times = Math.min(2 * times, MOST_TIMES);
      proofsFailed = 0;
    }
    pauses.succeeded();
    pause = Duration.ZERO;
  }

  /** Notes that the last attempt failed: the next one waits, counted from its start. */
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
