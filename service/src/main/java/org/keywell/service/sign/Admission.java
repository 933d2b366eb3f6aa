package org.keywell.service.sign;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.service.problem.Problem;
import org.keywell.service.problem.ProblemException;
import org.keywell.service.problem.ProblemType;

/**
 * Turns away requests that cannot be signed now, that the queue has no place for, or that would
 * wait past their deadline.
 */
public final class Admission {

  /** When what closes the gate may be over: device and CA are tried every second. */
  private static final Duration GATE_LOOKS_AGAIN = Duration.ofSeconds(2);

  /** When it may take records again: it is tried several times in that. */
  private static final Duration DATABASE_IS_TRIED_AGAIN = Duration.ofSeconds(2);

  private final SignRequestQueue queue;
  private final ServiceTime serviceTime;
  private final SigningGate gate;
  private final BooleanSupplier recordsAreStuck;
  private final SignListener listener;
  private final Runnable began;
  private final Runnable ended;
  private volatile boolean closed;
  private volatile boolean suspended;

  /**
   * @param recordsAreStuck whether nothing becomes durable at present; must not block
   * @param listener is told of refusals
   * @param began is told of each request that is admitted, before it is recorded
   * @param ended is told of each of them once more, when it is done with the device
   */
  public Admission(
      SignRequestQueue queue,
      ServiceTime serviceTime,
      SigningGate gate,
      BooleanSupplier recordsAreStuck,
      SignListener listener,
      Runnable began,
      Runnable ended) {
    this.queue = queue;
    this.serviceTime = serviceTime;
    this.gate = gate;
    this.recordsAreStuck = recordsAreStuck;
    this.listener = listener;
    this.began = began;
    this.ended = ended;
  }

  /**
   * Gives a request a place in the queue.
   *
   * @return to be settled by who has it
   * @throws ProblemException if there is none, or the wait would be too long; it names the limit
   */
  public Admitted admit(PendingRequest pending) {
    requireOpen();
    Optional<SigningGate.Closed> shut = gate.closed();
    if (shut.isPresent()) {
      throw refusal(
          shut.get().limit(),
          new Problem(ProblemType.of(shut.get().reason()), shut.get().detail(), GATE_LOOKS_AGAIN));
    }
    Duration deadline = pending.request().deadline();
    int length = queue.length();
    Duration predicted = serviceTime.predictedWait(length);
    if (predicted.compareTo(deadline) > 0) {
      throw refusal(
          AdmissionLimit.DEADLINE,
          new Problem(
              ProblemType.WAIT_TOO_LONG,
              "%d requests wait, about %d ms; the deadline is %d ms"
                  .formatted(length, predicted.toMillis(), deadline.toMillis()),
              predicted.minus(deadline)));
    }
    Admitted admitted =
        Admitted.to(queue, pending, began, ended)
            .orElseThrow(() -> refusal(AdmissionLimit.QUEUE_LIMIT, queueFull(predicted)));
    // Closed meanwhile: whoever waits for the queue to be empty may not have seen this place.
    if (closed) {
      admitted.settle();
      requireOpen();
    }
    return admitted;
  }

  /**
   * Why a request would be refused now, whatever it says; null if that depends on the request. What
   * lies behind {@link #admit} need not even be read then.
   */
  @Nullable Problem overload() {
    int length = queue.length();
    if (length < queue.limit() || suspended || closed) {
      return null;
    }
    listener.refused(AdmissionLimit.QUEUE_LIMIT);
    return queueFull(serviceTime.predictedWait(length));
  }

  private Problem queueFull(Duration predicted) {
    return new Problem(
        ProblemType.QUEUE_FULL, "keywell.sign.queue-limit is reached: " + queue.limit(), predicted);
  }

  private void requireOpen() {
    if (suspended) {
      throw refusal(
          AdmissionLimit.INSTANCE_LOCK,
          new Problem(
              ProblemType.RECORD_UNAVAILABLE,
              "this instance's lock in the database is lost",
              Duration.ofSeconds(5)));
    }
    if (closed) {
      throw refusal(
          AdmissionLimit.SHUTDOWN,
          new Problem(ProblemType.SHUTTING_DOWN, "ask another instance", Duration.ofSeconds(10)));
    }
    if (recordsAreStuck.getAsBoolean()) {
      throw refusal(
          AdmissionLimit.RECORDS,
          new Problem(
              ProblemType.RECORD_UNAVAILABLE,
              "the database takes no records at present; nothing is signed without one",
              DATABASE_IS_TRIED_AGAIN));
    }
  }

  private ProblemException refusal(AdmissionLimit limit, Problem problem) {
    listener.refused(limit);
    return new ProblemException(problem);
  }

  /** Admits nothing while suspended: records of this instance may be another process's now. */
  public void suspend(boolean on) {
    suspended = on;
  }

  /** Admits nothing from now on. */
  public void close() {
    closed = true;
  }
}
