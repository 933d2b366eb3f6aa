package org.keywell.service.sign;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.caller.Caller;
import org.keywell.service.fairness.CallerBacklogs;
import org.keywell.service.fairness.DailyQuota;
import org.keywell.service.fairness.QuotaDecision;
import org.keywell.service.request.Refusal;
import org.keywell.service.request.Refusal.Reason;
import org.keywell.service.request.RefusedException;

/**
 * Turns away requests that cannot be signed now, that the queue has no place for, that would wait
 * past their deadline, or that are beyond their caller's quota.
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
  private final DailyQuota quota;
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
      DailyQuota quota,
      SignListener listener,
      Runnable began,
      Runnable ended) {
    this.queue = queue;
    this.serviceTime = serviceTime;
    this.gate = gate;
    this.recordsAreStuck = recordsAreStuck;
    this.quota = quota;
    this.listener = listener;
    this.began = began;
    this.ended = ended;
  }

  /**
   * Gives a request a place in the queue. Waits only where its caller has a quota of which nothing
   * is reserved at this instance, and for a second at the most.
   *
   * @return to be settled by who has it
   * @throws RefusedException if there is none, or the wait would be too long; it names the limit
   */
  public Admitted admit(PendingRequest pending) {
    requireOpen();
    Optional<SigningGate.Closed> shut = gate.closed(pending.request().keySpec());
    if (shut.isPresent()) {
      throw refusal(shut.get());
    }
    Caller caller = pending.request().caller();
    KeySpec spec = pending.request().keySpec();
    Duration deadline = pending.request().deadline();
    CallerBacklogs.Backlog before = queue.before(caller, spec, serviceTime::nanos);
    Duration predicted = Duration.ofNanos(before.nanos());
    if (predicted.compareTo(deadline) > 0) {
      throw refusal(
          AdmissionLimit.DEADLINE,
          new Refusal(
              Reason.WAIT_TOO_LONG,
              "%d requests go before, about %d ms; the deadline is %d ms"
                  .formatted(before.requests(), predicted.toMillis(), deadline.toMillis()),
              predicted.minus(deadline)));
    }
    reserve(caller, spec);
    Admitted admitted = withinQuota(pending, caller);
    // Closed meanwhile: whoever waits for the queue to be empty may not have seen this place.
    if (closed) {
      admitted.withdraw();
      requireOpen();
    }
    return admitted;
  }

  /**
   * Lets the second call of an act in, which has a key and needs no place in the queue.
   *
   * @return to be settled by who has it
   * @throws RefusedException if it is known that the device would not sign, or nothing could be
   *     recorded
   */
  public Admitted admitSecondCall(PendingRequest pending) {
    requireOpen();
    Optional<SigningGate.Closed> shut = gate.deviceClosed();
    if (shut.isPresent()) {
      throw refusal(shut.get());
    }
    began.run();
    return new Admitted(pending, queue, null, ended);
  }

  private void reserve(Caller caller, KeySpec spec) {
    switch (queue.reserve(caller, spec)) {
      case TAKEN -> {}
      case FULL -> throw refusal(AdmissionLimit.QUEUE_LIMIT, queueFull());
      case SHARE_FULL -> throw refusal(AdmissionLimit.QUEUE_SHARE, shareFull(caller));
    }
  }

  /** Last, so that what is refused for another reason uses no quota. */
  private Admitted withinQuota(PendingRequest pending, Caller caller) {
    boolean admitted = false;
    try {
      QuotaDecision.Granted granted =
          switch (quota.take(caller)) {
            case QuotaDecision.Granted within -> within;
            case QuotaDecision.Used used ->
                throw refusal(
                    AdmissionLimit.QUOTA_USED,
                    new Refusal(
                        Reason.QUOTA_USED,
                        "the caller's daily-quota is used: %d requests a day (UTC)"
                            .formatted(caller.limits().dailyQuota()),
                        used.untilNextDay()));
            case QuotaDecision.Unknown unknown ->
                throw refusal(
                    AdmissionLimit.RECORDS,
                    new Refusal(
                        Reason.RECORD_UNAVAILABLE,
                        "the database does not tell what is left of the caller's daily-quota",
                        DATABASE_IS_TRIED_AGAIN));
          };
      began.run();
      admitted = true;
      return new Admitted(pending, queue, granted, ended);
    } finally {
      if (!admitted) {
        queue.release(caller, pending.request().keySpec());
      }
    }
  }

  /**
   * Why a request would be refused now, whatever it says and whoever sends it; null if that
   * depends. What lies behind {@link #admit} need not even be read then.
   */
  @Nullable Refusal overload() {
    if (queue.length() < queue.limit() || suspended || closed) {
      return null;
    }
    listener.refused(AdmissionLimit.QUEUE_LIMIT);
    return queueFull();
  }

  /** As {@link #overload()}, for a request of this caller's. */
  @Nullable Refusal overload(Caller caller) {
    @Nullable Refusal ofAll = overload();
    if (ofAll != null || !queue.isShareFull(caller) || suspended || closed) {
      return ofAll;
    }
    listener.refused(AdmissionLimit.QUEUE_SHARE);
    return shareFull(caller);
  }

  private Refusal queueFull() {
    return new Refusal(
        Reason.QUEUE_FULL,
        "keywell.sign.queue-limit is reached: " + queue.limit(),
        Duration.ofNanos(queue.all(serviceTime::nanos).nanos()));
  }

  private Refusal shareFull(Caller caller) {
    return new Refusal(
        Reason.QUEUE_SHARE,
        "the caller's queue-share-percent is reached: %d of %d places"
            .formatted(queue.shareOf(caller), queue.limit()),
        Duration.ofNanos(queue.before(caller, serviceTime::nanos).nanos()));
  }

  private void requireOpen() {
    if (suspended) {
      throw refusal(
          AdmissionLimit.INSTANCE_LOCK,
          new Refusal(
              Reason.RECORD_UNAVAILABLE,
              "this instance's lock in the database is lost",
              Duration.ofSeconds(5)));
    }
    if (closed) {
      throw refusal(
          AdmissionLimit.SHUTDOWN,
          new Refusal(Reason.SHUTTING_DOWN, "ask another instance", Duration.ofSeconds(10)));
    }
    if (recordsAreStuck.getAsBoolean()) {
      throw refusal(
          AdmissionLimit.RECORDS,
          new Refusal(
              Reason.RECORD_UNAVAILABLE,
              "the database takes no records at present; nothing is signed without one",
              DATABASE_IS_TRIED_AGAIN));
    }
  }

  private RefusedException refusal(SigningGate.Closed shut) {
    return refusal(shut.limit(), new Refusal(shut.refusal(), shut.detail(), GATE_LOOKS_AGAIN));
  }

  private RefusedException refusal(AdmissionLimit limit, Refusal problem) {
    listener.refused(limit);
    return new RefusedException(problem);
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
