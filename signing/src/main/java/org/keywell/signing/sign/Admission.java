package org.keywell.signing.sign;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerBacklogs;
import org.keywell.signing.fairness.DailyQuota;
import org.keywell.signing.fairness.QuotaDecision;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;

/**
 * Refuses requests that cannot be signed now, find no place in the queue, would wait past their
 * deadline, or exceed their caller's quota.
 */
public final class Admission {

  /** When the gate may reopen: device and CA are tested every second. */
  private static final Duration GATE_LOOKS_AGAIN = Duration.ofSeconds(2);

  /** When records may be written again: several attempts fit into this. */
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
   * @param listener notified of refusals
   * @param began runs for each admitted request, before it is recorded
   * @param ended runs once for each of them, when it is done with the device
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
   * Gives a request a place in the queue. Waits only if its caller has a quota of which nothing is
   * reserved at this instance, and for at most a second.
   *
   * @return to be settled by its holder
   * @throws RefusedException if the request is not admitted; it names the limit
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
              "%d requests are ahead, about %d ms; the deadline is %d ms"
                  .formatted(before.requests(), predicted.toMillis(), deadline.toMillis()),
              predicted.minus(deadline)));
    }
    reserve(caller, spec);
    Admitted admitted = withinQuota(pending, caller);
    // Closed meanwhile: a thread that waits for an empty queue may have missed this place.
    if (closed) {
      admitted.withdraw();
      requireOpen();
    }
    return admitted;
  }

  /**
   * Admits the second call of an act, which has a key and needs no place in the queue.
   *
   * @return to be settled by its holder
   * @throws RefusedException if the device is known not to sign, or nothing could be recorded
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

  /** Comes last: requests refused for other reasons use no quota. */
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
                        "the caller's daily-quota is used up: %d requests a day (UTC)"
                            .formatted(caller.limits().dailyQuota()),
                        used.untilNextDay()));
            case QuotaDecision.Unknown unknown ->
                throw refusal(
                    AdmissionLimit.RECORDS,
                    new Refusal(
                        Reason.RECORD_UNAVAILABLE,
                        "the rest of the caller's daily-quota cannot be read from the database",
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
   * Returns why any request would be refused now, regardless of its content and caller; null if
   * that depends on them. A request need not be read for {@link #admit} then.
   */
  public @Nullable Refusal overload() {
    if (queue.length() < queue.limit() || suspended || closed) {
      return null;
    }
    listener.refused(AdmissionLimit.QUEUE_LIMIT);
    return queueFull();
  }

  /** As {@link #overload()}, for a request of this caller. */
  public @Nullable Refusal overload(Caller caller) {
    @Nullable Refusal ofAll = overload();
    if (ofAll != null || !queue.isShareFull(caller) || suspended || closed) {
      return ofAll;
    }
    // The last place may have been taken since the queue was found not to be full.
    if (queue.shareOf(caller) == queue.limit()) {
      listener.refused(AdmissionLimit.QUEUE_LIMIT);
      return queueFull();
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
              "this instance has lost its lock in the database",
              Duration.ofSeconds(5)));
    }
    if (closed) {
      throw refusal(
          AdmissionLimit.SHUTDOWN,
          new Refusal(Reason.SHUTTING_DOWN, "try another instance", Duration.ofSeconds(10)));
    }
    if (recordsAreStuck.getAsBoolean()) {
      throw refusal(
          AdmissionLimit.RECORDS,
          new Refusal(
              Reason.RECORD_UNAVAILABLE,
              "the database accepts no records at present; nothing is signed without one",
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

  /** While on, admits nothing: another process may own this instance's records. */
  public void suspend(boolean on) {
    suspended = on;
  }

  /** Admits nothing from now on. */
  public void close() {
    closed = true;
  }
}
