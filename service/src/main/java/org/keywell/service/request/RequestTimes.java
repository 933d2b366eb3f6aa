package org.keywell.service.request;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * When a request passed each stage. The calendar is read once, at receipt; later stages add elapsed
 * time to it, so that a clock that is set back cannot turn the stages around.
 *
 * <p>Thread-safe: who ends a request may be another than who works on it.
 */
public final class RequestTimes {

  /** The moments of a request's life, in order; the thesis's Table 3-2 and three more. */
  public enum Stage {
    REQUEST_RECEIVED(0),
    REQUEST_START_TO_PROCESS(1),
    REQUEST_GOT_KEY_PAIR(2),
    SIGNED(3),
    CERTIFIED(4),
    KEY_DESTROYED(5),
    REQUEST_FINISHED(6);

    /** Where its time is kept. */
    private final int place;

    Stage(int place) {
      this.place = place;
    }
  }

  private static final Stage[] STAGES = Stage.values();
  private static final int ACCEPTED = STAGES.length;
  private static final long NEVER = -1;

  private final LongSupplier nanoClock;
  private final Instant received;
  private final long receivedNanos;

  /** By stage, and how long after the receipt it was durable; {@link #NEVER} where it was not. */
  private final AtomicLongArray elapsedNanos = new AtomicLongArray(STAGES.length + 1);

  /** The request is received now. */
  public RequestTimes(InstantSource clock, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.received = clock.instant().truncatedTo(ChronoUnit.MICROS);
    this.receivedNanos = nanoClock.getAsLong();
    for (int i = 0; i <= ACCEPTED; i++) {
      elapsedNanos.setPlain(i, NEVER);
    }
    elapsedNanos.set(Stage.REQUEST_RECEIVED.place, 0);
  }

  /** Notes that the stage is reached now. */
  public void mark(Stage stage) {
    elapsedNanos.set(stage.place, nanosSinceReceipt());
  }

  /** Notes that the receipt is durable now, and the request goes into the queue. */
  public void markAccepted() {
    elapsedNanos.set(ACCEPTED, nanosSinceReceipt());
  }

  /** From receipt until that was durable; empty before that. */
  public OptionalLong acceptedNanos() {
    return elapsedNanos(ACCEPTED);
  }

  /**
   * How long the request took for the stage, since the one that it reached before; empty if it did
   * not reach it. Where the certificate comes first, the stages have another order.
   */
  public OptionalLong tookNanos(Stage stage) {
    long reached = elapsedNanos.get(stage.place);
    if (reached == NEVER) {
      return OptionalLong.empty();
    }
    long before = 0;
    for (Stage other : STAGES) {
      long nanos = elapsedNanos.get(other.place);
      if (nanos < reached || (nanos == reached && other.place < stage.place)) {
        before = Math.max(before, nanos);
      }
    }
    return OptionalLong.of(reached - before);
  }

  /** From receipt until the stage was reached; empty if it was not. */
  public OptionalLong elapsedNanos(Stage stage) {
    return elapsedNanos(stage.place);
  }

  private OptionalLong elapsedNanos(int index) {
    long nanos = elapsedNanos.get(index);
    return nanos == NEVER ? OptionalLong.empty() : OptionalLong.of(nanos);
  }

  /** Time since receipt, by the elapsed-time clock. */
  public Duration sinceReceipt() {
    return Duration.ofNanos(nanosSinceReceipt());
  }

  /** The time of the calendar that was read at receipt, in whole microseconds. */
  public Instant now() {
    return received.plusNanos(nanosSinceReceipt()).truncatedTo(ChronoUnit.MICROS);
  }

  private long nanosSinceReceipt() {
    return nanoClock.getAsLong() - receivedNanos;
  }

  /** When the stage was reached, in whole microseconds; empty if it was not. */
  public Optional<Instant> at(Stage stage) {
    long nanos = elapsedNanos.get(stage.place);
    return nanos == NEVER
        ? Optional.empty()
        : Optional.of(received.plusNanos(nanos).truncatedTo(ChronoUnit.MICROS));
  }

  /** When each stage was reached, as {@link #at}; without those that were not. */
  public Map<Stage, Instant> reached() {
    Map<Stage, Instant> reached = new EnumMap<>(Stage.class);
    for (Stage stage : STAGES) {
      at(stage).ifPresent(time -> reached.put(stage, time));
    }
    return reached;
  }

  /** Between receipt and the start of processing; empty before that. */
  public Optional<Duration> waiting() {
    return at(Stage.REQUEST_START_TO_PROCESS)
        .map(start -> Duration.between(at(Stage.REQUEST_RECEIVED).orElseThrow(), start));
  }

  /** Between the start of processing and the end; empty before that. */
  public Optional<Duration> processing() {
    return at(Stage.REQUEST_FINISHED)
        .flatMap(
            end -> at(Stage.REQUEST_START_TO_PROCESS).map(start -> Duration.between(start, end)));
  }
}
