package org.keywell.service.sign;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For how long a thread that looks again and again has kept its pace. Elapsed time goes on while a
 * process is frozen (a paused virtual machine, a laptop that sleeps, {@code SIGSTOP}), so a call
 * that was in progress seems to have lasted for all of it. A thread that slept for seconds longer
 * than it meant to was frozen, and can tell. For one thread.
 */
final class AwakeTime {

  /** A busy machine wakes a thread late, too, but not by so much. */
  static final Duration OVERSLEPT = Duration.ofSeconds(3);

  private static final Logger log = LoggerFactory.getLogger(AwakeTime.class);
  private static final Duration ALWAYS = ChronoUnit.FOREVER.getDuration();

  private final LongSupplier nanoClock;
  private final Duration pause;
  private boolean asleep;
  private long asleepSinceNanos;
  private boolean wasFrozen;
  private long awakeSinceNanos;

  /**
   * @param pause how long the thread means to sleep between two looks
   */
  AwakeTime(Duration pause, LongSupplier nanoClock) {
    this.pause = pause;
    this.nanoClock = nanoClock;
  }

  /** A look begins. Returns how long the process has been awake; practically for ever at first. */
  Duration lookBegins() {
    long now = nanoClock.getAsLong();
    if (asleep) {
      Duration overslept = Duration.ofNanos(now - asleepSinceNanos).minus(pause);
      if (overslept.compareTo(OVERSLEPT) >= 0) {
        log.warn(
            "this process stood still for {} s; calls to the HSM that were in progress are given"
                + " their time again",
            overslept.toSeconds());
        wasFrozen = true;
        awakeSinceNanos = now;
      }
    }
    asleep = false;
    return wasFrozen ? Duration.ofNanos(now - awakeSinceNanos) : ALWAYS;
  }

  /** The look has ended, however long it took: the thread sleeps now. */
  void lookEnded() {
    asleepSinceNanos = nanoClock.getAsLong();
    asleep = true;
  }
}
