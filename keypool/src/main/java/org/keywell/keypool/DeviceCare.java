package org.keywell.keypool;

import java.time.Duration;
import org.keywell.keypool.hsm.HsmHealth;

/**
 * Decides what a device needs next, from how it is. Attempts to reopen it follow each other after
 * pauses from one second to thirty, whatever comes of them, until it has been well for a minute: a
 * device that loses its sessions again and again is not reopened all the time. For one thread.
 */
final class DeviceCare {

  /** What is to be done. */
  enum Step {
    /** Nothing: the device works, or only time helps. */
    NOTHING,
    /** To ask an idle device whether it is still there. */
    PROBE,
    /** To have a device in doubt, or down, do what failed. */
    PROVE,
    /** To open a device anew that lost its sessions, its login or its keys. */
    REOPEN
  }

  static final Duration IDLE = Duration.ofSeconds(5);
  static final Duration WELL = Duration.ofMinutes(1);
  static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final Backoff pauses = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
  private long attemptedNanos;
  private Duration pause = Duration.ZERO;

  Step next(HsmHealth health, long nowNanos) {
    if (!health.loggedIn()) {
      return isOver(pause, nowNanos) ? Step.REOPEN : Step.NOTHING;
    }
    if (pauses.failing() && isOver(WELL, nowNanos)) {
      pauses.succeeded();
      pause = Duration.ZERO;
    }
    if (health.hung()) {
      return Step.NOTHING;
    }
    if (health.down().isPresent()) {
      return Step.PROVE;
    }
    if (health.callsInProgress() > 0 || nowNanos - health.lastSuccessNanos() < IDLE.toNanos()) {
      return Step.NOTHING;
    }
    return health.state() == HsmHealth.State.DOUBTFUL ? Step.PROVE : Step.PROBE;
  }

  /** The device is about to be opened anew. */
  void reopening(long nowNanos) {
    attemptedNanos = nowNanos;
    pause = pauses.afterFailure();
  }

  private boolean isOver(Duration time, long nowNanos) {
    return time.isZero() || nowNanos - attemptedNanos >= time.toNanos();
  }
}
