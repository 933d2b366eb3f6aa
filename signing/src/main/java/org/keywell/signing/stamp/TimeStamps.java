package org.keywell.signing.stamp;

import java.math.BigInteger;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.keywell.ca.issuance.SerialNumbers;
import org.keywell.ca.timestamp.StampAnswer;
import org.keywell.ca.timestamp.StampAnswer.Failure;
import org.keywell.ca.timestamp.StampAnswer.Granted;
import org.keywell.ca.timestamp.StampAnswer.Rejected;
import org.keywell.signing.ca.StampUnit;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.database.DatabaseException;
import org.keywell.signing.fairness.CallerPlaces;
import org.keywell.signing.log.LogCommitter;
import org.keywell.signing.log.LogEntry;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time-stamp authority (RFC 3161): a unit in each device that signs, of which the first that
 * can sign does. A time stamp leaves once its entry in the log is committed. Thread-safe.
 */
public final class TimeStamps implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(TimeStamps.class);

  private static final Duration SOON = Duration.ofSeconds(1);
  private static final Duration LATER = Duration.ofSeconds(5);

  private final ClockGuard clock;
  private final SerialNumbers serials;
  private final LogCommitter entries;
  private final CallerPlaces places;
  private final String instance;
  private final StampListener listener;
  private final List<StampUnit> units = new CopyOnWriteArrayList<>();

  /**
   * @param serials unguessable, so that instances need not tell each other theirs
   * @param atOnce how many requests are worked on at the same time
   */
  TimeStamps(
      ClockGuard clock,
      SerialNumbers serials,
      LogCommitter entries,
      int atOnce,
      String instance,
      StampListener listener) {
    this.clock = clock;
    this.serials = serials;
    this.entries = entries;
    this.places = new CallerPlaces(atOnce);
    this.instance = instance;
    this.listener = listener;
  }

  /** Adds the unit in a device; of a late one, too. */
  public void add(StampUnit unit) {
    // A late device may have failed to join, and come again.
    List<StampUnit> replaced =
        units.stream().filter(other -> other.device().equals(unit.device())).toList();
    units.add(unit);
    units.removeAll(replaced);
    replaced.forEach(other -> other.signer().close());
  }

  /** Starts the threads that watch the clock and write the log, if there is an authority. */
  public void start() {
    if (isOne()) {
      entries.start();
      clock.start();
    }
  }

  /** Ends them, after the last request. Returns whether they ended in time. */
  public boolean end(Duration limit) {
    boolean logged = entries.end(limit);
    return clock.end(limit) && logged;
  }

  /** Returns the chains of all units, each unit's own certificate first. */
  public List<List<X509Certificate>> chains() {
    return units.stream().map(StampUnit::chain).toList();
  }

  /** Returns when the first certificate of a unit's chain expires; empty without one. */
  public Optional<Instant> end(String device) {
    return units.stream()
        .filter(unit -> unit.device().equals(device))
        .flatMap(unit -> unit.chain().stream())
        .map(certificate -> certificate.getNotAfter().toInstant())
        .min(Comparator.naturalOrder());
  }

  /** Whether there is a time-stamp authority. */
  public boolean isOne() {
    return !units.isEmpty();
  }

  /**
   * Answers a request.
   *
   * @param request a {@code TimeStampReq}, DER
   * @throws RefusedException if too many are in progress, or its entry cannot be committed
   */
  public StampAnswer stamp(Caller caller, byte[] request) throws InterruptedException {
    switch (places.take(caller)) {
      case TAKEN -> {}
      case FULL -> throw busy("all %d".formatted(places.limit()));
      case SHARE_FULL ->
          throw busy(
              "the caller's share (queue-share-percent), %d of %d,"
                  .formatted(places.shareOf(caller), places.limit()));
    }
    try {
      StampAnswer answer = answer(request);
      if (answer instanceof Granted granted) {
        record(caller, granted);
      }
      listener.answered(answer);
      return answer;
    } finally {
      places.free(caller);
    }
  }

  private static RefusedException busy(String taken) {
    return new RefusedException(
        new Refusal(
            Reason.STAMPS_BUSY,
            "concurrent time stamps, limited by keywell.tsa.max-concurrent: "
                + taken
                + " are in progress",
            SOON));
  }

  private StampAnswer answer(byte[] request) {
    Optional<Instant> time = clock.now();
    StampAnswer answer = null;
    for (StampUnit unit : units) {
      BigInteger serial = serials.next();
      answer = unit.authority().answer(request, time, serial);
      if (!(answer instanceof Rejected rejected && rejected.failure() == Failure.SYSTEM_FAILURE)) {
        return answer;
      }
    }
    if (answer == null) {
      throw new RefusedException(
          new Refusal(Reason.HSM_UNAVAILABLE, "no HSM has a key for time stamps now", LATER));
    }
    return answer;
  }

  private void record(Caller caller, Granted stamp) throws InterruptedException {
    try {
      entries.add(
          LogEntry.of("time-stamp")
              .text("instance", instance)
              .time("at", stamp.time())
              .text("caller", caller.name())
              .text("serial", stamp.serial().toString(16))
              .text("digestAlgorithm", stamp.digestAlgorithm())
              .hex("digest", stamp.digest()));
    } catch (DatabaseException e) {
      log.error("a time stamp is not given out: {}", e.getMessage());
      throw new RefusedException(
          new Refusal(
              Reason.RECORD_UNAVAILABLE,
              "the database does not answer; nothing is released without a record",
              LATER));
    }
  }

  @Override
  public void close() {
    units.forEach(unit -> unit.signer().close());
  }
}
