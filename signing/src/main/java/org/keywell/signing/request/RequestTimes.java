package org.keywell.signing.request;

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
 * When a request passed each stage. The wall clock is read once, at receipt; later stages add
 * elapsed time, so a clock that is set back cannot reorder them.
 *
 * <p>Thread-safe: the thread that ends a request may not be the one that works on it.
 */
public final class RequestTimes {

  /** The stages of a request, in order: those of the thesis's Table 3-2 and three more. */
  public enum Stage {
    REQUEST_RECEIVED(0),
    REQUEST_START_TO_PROCESS(1),
    REQUEST_GOT_KEY_PAIR(2),
    SIGNED(3),
    CERTIFIED(4),
    KEY_DESTROYED(5),
    REQUEST_FINISHED(6);

    /** Index of its time. */
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

  /** Time since receipt by stage and, last, until durable; {@link #NEVER} if not reached. */
  private final AtomicLongArray elapsedNanos = new AtomicLongArray(STAGES.length + 1);

  /** Creates the times of a request received now. */
  public RequestTimes(InstantSource clock, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.received = clock.instant().truncatedTo(ChronoUnit.MICROS);
    this.receivedNanos = nanoClock.getAsLong();
    for (int i = 0; i <= ACCEPTED; i++) {
      elapsedNanos.setPlain(i, NEVER);
    }
    elapsedNanos.set(Stage.REQUEST_RECEIVED.place, 0);
  }

  /** Marks the stage as reached now. */
  public void mark(Stage stage) {
    elapsedNanos.set(stage.place, nanosSinceReceipt());
  }

  /** Marks the receipt as durable now; the request goes into the queue. */
  public void markAccepted() {
    elapsedNanos.set(ACCEPTED, nanosSinceReceipt());
  }

  /** Returns the time from receipt until it was durable; empty before that. */
  public OptionalLong acceptedNanos() {
    return elapsedNanos(ACCEPTED);
  }

  /**
   * Returns the time from the previously reached stage to this one; empty if it was not reached. If
   * the certificate comes first, the stages have a different order.
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

  /** Returns the time from receipt to the stage; empty if it was not reached. */
  public OptionalLong elapsedNanos(Stage stage) {
    return elapsedNanos(stage.place);
  }

  private OptionalLong elapsedNanos(int index) {
    long nanos = elapsedNanos.get(index);
    return nanos == NEVER ? OptionalLong.empty() : OptionalLong.of(nanos);
  }

  /** Returns the elapsed time since receipt. */
  public Duration sinceReceipt() {
    return Duration.ofNanos(nanosSinceReceipt());
  }

  /** Returns the wall-clock time of receipt plus the elapsed time, in whole microseconds. */
  public Instant now() {
    return received.plusNanos(nanosSinceReceipt()).truncatedTo(ChronoUnit.MICROS);
  }

  private long nanosSinceReceipt() {
    return nanoClock.getAsLong() - receivedNanos;
  }

  /** Returns when the stage was reached, in whole microseconds; empty if it was not. */
  public Optional<Instant> at(Stage stage) {
    long nanos = elapsedNanos.get(stage.place);
    return nanos == NEVER
        ? Optional.empty()
        : Optional.of(received.plusNanos(nanos).truncatedTo(ChronoUnit.MICROS));
  }

  /** Returns when each stage was reached, as {@link #at}; omits stages that were not. */
  public Map<Stage, Instant> reached() {
    Map<Stage, Instant> reached = new EnumMap<>(Stage.class);
    for (Stage stage : STAGES) {
      at(stage).ifPresent(time -> reached.put(stage, time));
    }
    return reached;
  }

  /** Returns the time from receipt to the start of processing; empty before that. */
  public Optional<Duration> waiting() {
    return at(Stage.REQUEST_START_TO_PROCESS)
        .map(start -> Duration.between(at(Stage.REQUEST_RECEIVED).orElseThrow(), start));
  }

  /** Returns the time from the start of processing to the end; empty before that. */
  public Optional<Duration> processing() {
    return at(Stage.REQUEST_FINISHED)
        .flatMap(
            end -> at(Stage.REQUEST_START_TO_PROCESS).map(start -> Duration.between(start, end)));
  }
}
