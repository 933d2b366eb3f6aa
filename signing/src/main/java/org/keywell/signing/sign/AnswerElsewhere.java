package org.keywell.signing.sign;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerPlaces;
import org.keywell.signing.record.ReadsBusyException;
import org.keywell.signing.record.RecordException;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.record.SignRecords;

/**
 * Waits for the answer to a request that another instance works on. It polls the record: instances
 * communicate only through the database. If that instance vanishes, another one closes the record.
 *
 * <p>Thread-safe; designed for waiting virtual threads.
 */
final class AnswerElsewhere {

  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(250);

  /** Limits waiters: each reads about four records a second. */
  static final int MAX_WAITING = 64;

  /** Waits between two reads. */
  @FunctionalInterface
  interface Pause {
    void sleep(Duration time) throws InterruptedException;
  }

  private final SignRecords records;
  private final LongSupplier nanoClock;
  private final Pause pause;
  private final CallerPlaces places = new CallerPlaces(MAX_WAITING);

  AnswerElsewhere(SignRecords records, LongSupplier nanoClock, Pause pause) {
    this.records = records;
    this.nanoClock = nanoClock;
    this.pause = pause;
  }

  /**
   * Waits until the request has an outcome; returns at once while {@value #MAX_WAITING} others
   * wait, or this caller's share of those is full.
   *
   * @return the latest record: without an outcome if there is none in time
   * @throws RecordException if the database fails
   */
  SignRecord await(SignRecord first, Caller caller, Duration patience) throws InterruptedException {
    if (first.outcome() != null || places.take(caller) != CallerPlaces.Taking.TAKEN) {
      return first;
    }
    try {
      long end = nanoClock.getAsLong() + patience.toNanos();
      Duration next = FIRST_PAUSE;
      SignRecord latest = first;
      while (latest.outcome() == null) {
        Duration left = Duration.ofNanos(end - nanoClock.getAsLong());
        if (!left.isPositive()) {
          break;
        }
        pause.sleep(left.compareTo(next) < 0 ? left : next);
        latest = read(latest);
        next =
            next.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                ? next.multipliedBy(2)
                : LONGEST_PAUSE;
      }
      return latest;
    } finally {
      places.free(caller);
    }
  }

  private SignRecord read(SignRecord latest) {
    try {
      return records.find(latest.requestId()).orElse(latest);
    } catch (ReadsBusyException e) {
      // All reads are taken; the next round tries again.
      return latest;
    }
  }
}
