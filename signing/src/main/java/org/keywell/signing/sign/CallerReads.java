package org.keywell.signing.sign;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.fairness.CallerPlaces;
import org.keywell.signing.record.ReadsBusyException;
import org.keywell.signing.record.RecordException;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records and the log for callers: a limited number at once, of which each has at most its
 * share. Thread-safe.
 */
public final class CallerReads {

  private static final Logger log = LoggerFactory.getLogger(CallerReads.class);

  private static final Duration SOON = Duration.ofSeconds(1);

  private final CallerPlaces places;

  CallerReads(int atOnce) {
    this.places = new CallerPlaces(atOnce);
  }

  /**
   * Reads for this caller.
   *
   * @throws RefusedException if no read is free, or the database fails
   */
  public <T> Optional<T> read(Caller caller, Supplier<Optional<T>> find) {
    switch (places.take(caller)) {
      case TAKEN -> {}
      case FULL -> throw busy("all %d".formatted(places.limit()));
      case SHARE_FULL ->
          throw busy(
              "the caller's share (queue-share-percent), %d of %d,"
                  .formatted(places.shareOf(caller), places.limit()));
    }
    try {
      return find.get();
    } catch (ReadsBusyException e) {
      throw busy("all");
    } catch (RecordException | DatabaseException e) {
      throw unreadable(e);
    } finally {
      places.free(caller);
    }
  }

  private static RefusedException busy(String taken) {
    return new RefusedException(
        new Refusal(
            Reason.READS_BUSY,
            "concurrent reads, limited by keywell.database.max-connections: "
                + taken
                + " are in progress",
            SOON));
  }

  /** Logs the failure and returns the caller's refusal. */
  static RefusedException unreadable(RuntimeException failure) {
    log.error("records cannot be read: {}", failure.getMessage());
    return new RefusedException(
        new Refusal(
            Reason.RECORD_UNAVAILABLE,
            "the database does not answer; nothing is released without a record",
            Duration.ofSeconds(5)));
  }
}
