package org.keywell.service.request;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When a request passed each stage. The calendar is read once, at receipt; later stages add elapsed
 * time to it, so that a clock that is set back cannot turn the stages around.
 *
 * <p>Confined to one thread at a time; handed over through the sign queue.
 */
public final class RequestTimes {

  /** The moments of a request's life, in order; the thesis's Table 3-2 and three more. */
  public enum Stage {
    REQUEST_RECEIVED,
    REQUEST_START_TO_PROCESS,
    REQUEST_GOT_KEY_PAIR,
    SIGNED,
    CERTIFIED,
    KEY_DESTROYED,
    REQUEST_FINISHED
  }

  private final LongSupplier nanoClock;
  private final Instant received;
  private final long receivedNanos;
  private final Map<Stage, Long> elapsedNanos = new EnumMap<>(Stage.class);
  private @Nullable Long acceptedNanos;

  /** The request is received now. */
  public RequestTimes(InstantSource clock, LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.received = clock.instant().truncatedTo(ChronoUnit.MICROS);
    this.receivedNanos = nanoClock.getAsLong();
    elapsedNanos.put(Stage.REQUEST_RECEIVED, 0L);
  }

  /** Notes that the stage is reached now. */
  public void mark(Stage stage) {
    elapsedNanos.put(stage, sinceReceipt().toNanos());
  }

  /** Notes that the receipt is durable now, and the request goes into the queue. */
  public void markAccepted() {
    acceptedNanos = sinceReceipt().toNanos();
  }

  /** From receipt until that was durable; empty before that. */
  public OptionalLong acceptedNanos() {
    return acceptedNanos == null ? OptionalLong.empty() : OptionalLong.of(acceptedNanos);
  }

  /** From receipt until the stage was reached; empty if it was not. */
  public OptionalLong elapsedNanos(Stage stage) {
    Long nanos = elapsedNanos.get(stage);
    return nanos == null ? OptionalLong.empty() : OptionalLong.of(nanos);
  }

  /** Time since receipt, by the elapsed-time clock. */
  public Duration sinceReceipt() {
    return Duration.ofNanos(nanoClock.getAsLong() - receivedNanos);
  }

  /** When the stage was reached, in whole microseconds; empty if it was not. */
  public Optional<Instant> at(Stage stage) {
    return Optional.ofNullable(elapsedNanos.get(stage))
        .map(nanos -> received.plusNanos(nanos).truncatedTo(ChronoUnit.MICROS));
  }

  /** When each stage was reached, as {@link #at}; without those that were not. */
  public Map<Stage, Instant> reached() {
    Map<Stage, Instant> reached = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
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
