package org.keywell.signing.start;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a start wait for what is missing, such as a database started by the same reboot. All waits
 * of one start share one time limit.
 */
public final class StartPatience {

  /** Between two attempts. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Duration LINE_EVERY = Duration.ofSeconds(10);
  private static final Logger log = LoggerFactory.getLogger(StartPatience.class);

  /** Waits between attempts. */
  @FunctionalInterface
  public interface Pause {
    /** Returns true, and early, if the process is told to end. */
    boolean untilEndOr(Duration time) throws InterruptedException;
  }

  private final Duration patience;
  private final LongSupplier nanoClock;
  private final Pause pause;
  private final long startNanos;

  /**
   * @param patience from now on; 0: nothing is retried
   */
  public StartPatience(Duration patience, LongSupplier nanoClock, Pause pause) {
    this.patience = patience;
    this.nanoClock = nanoClock;
    this.pause = pause;
    this.startNanos = nanoClock.getAsLong();
  }

  /**
   * Tries until there is a result. Logs what it waits for, at the first failure and every ten
   * seconds.
   *
   * @throws NotThereYetException that of the last attempt, once the time is over
   * @throws EndSignal.StartAbandonedException if the process is told to end meanwhile
   */
  public <T> T untilThere(Supplier<T> attempt) {
    long nextLineNanos = nanoClock.getAsLong();
    while (true) {
      try {
        return attempt.get();
      } catch (NotThereYetException e) {
        long now = nanoClock.getAsLong();
        Duration left = patience.minusNanos(now - startNanos);
        if (!left.isPositive()) {
          throw e;
        }
        if (now - nextLineNanos >= 0) {
          log.warn(
              "waiting up to {} s more (keywell.start-patience): {}",
              left.plusMillis(999).toSeconds(),
              e.getMessage());
          nextLineNanos = now + LINE_EVERY.toNanos();
        }
        pause(left.compareTo(PAUSE) < 0 ? left : PAUSE);
      }
    }
  }

  private void pause(Duration time) {
    try {
      if (pause.untilEndOr(time)) {
        throw new EndSignal.StartAbandonedException();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EndSignal.StartAbandonedException();
    }
  }
}
