package org.keywell.signing.sign;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * For how long a polling thread has kept its pace. Elapsed time continues while a process is frozen
 * (a paused virtual machine, a sleeping laptop, {@code SIGSTOP}), so a call in progress seems to
 * have lasted all that time. A thread that slept seconds longer than intended knows that it was
 * frozen. For use by one thread.
 */
final class AwakeTime {

  /** A busy machine wakes threads late, too, but not by this much. */
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
   * @param pause how long the thread intends to sleep between rounds
   */
  AwakeTime(Duration pause, LongSupplier nanoClock) {
    this.pause = pause;
    this.nanoClock = nanoClock;
  }

  /** Starts a round. Returns how long the process has been awake; practically forever at first. */
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

  /** Ends the round, however long it took: the thread sleeps now. */
  void lookEnded() {
    asleepSinceNanos = nanoClock.getAsLong();
    asleep = true;
  }
}
