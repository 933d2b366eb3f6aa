package org.keywell.signing.act;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyLease;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.worker.Worker;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.CallerPlaces;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.request.FailureReason;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.KeyUse;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.RequestTimes.Stage;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.sign.AdmissionLimit;
import org.keywell.signing.sign.KeyKeeper;
import org.keywell.signing.sign.PendingRequest;
import org.keywell.signing.sign.RequestLog;
import org.keywell.signing.sign.SignListener;
import org.keywell.signing.sign.SigningCycle;

/**
 * The open acts of this instance, with their keys. An act ends if its time is up, it is cancelled,
 * its certificate is revoked, its device loses the key, or the service stops: a separate thread
 * destroys its key, which is put on record with the unused certificate.
 *
 * <p>Thread-safe.
 */
public final class OpenActs implements KeyKeeper {

  /** How late the thread may notice that an act has expired. */
  private static final Duration LOOK = Duration.ofMillis(250);

  /** An act may end at any time. */
  private static final Duration SOON = Duration.ofSeconds(1);

  /** An act whose key is to be destroyed. */
  private record Ending(OpenAct act, PendingRequest last) {}

  private final CallerPlaces places;
  private final RecordWriter records;
  private final SigningCycle cycle;
  private final KeyPools pools;
  private final SignListener listener;
  private final InstantSource clock;
  private final LongSupplier nanoClock;
  private final ConcurrentMap<UUID, OpenAct> acts = new ConcurrentHashMap<>();

  /** At most one per place. */
  private final Queue<Ending> endings = new ConcurrentLinkedQueue<>();

  /** Those that were ended while they waited for a handler; the same limit applies. */
  private final Queue<PendingRequest> left = new ConcurrentLinkedQueue<>();

  private final Worker worker = new Worker("keywell-acts", this::look);
  private volatile boolean closed;

  /**
   * @param maxOpen limit on open acts, of which each caller has a share
   * @param nanoClock by which acts expire
   */
  public OpenActs(
      int maxOpen,
      RecordWriter records,
      SigningCycle cycle,
      KeyPools pools,
      SignListener listener,
      InstantSource clock,
      LongSupplier nanoClock) {
    this.places = new CallerPlaces(maxOpen);
    this.records = records;
    this.cycle = cycle;
    this.pools = pools;
    this.listener = listener;
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  public void start() {
    worker.start();
  }

  /** Whether the thread has ended unexpectedly. */
  public boolean isBroken() {
    return worker.isBroken();
  }

  /** Returns how many acts are open, or being opened or ended. */
  public int count() {
    return places.taken();
  }

  public int limit() {
    return places.limit();
  }

  /** Returns this caller's act, if it has not ended. */
  Optional<OpenAct> find(UUID actId, Caller caller) {
    return Optional.ofNullable(acts.get(actId))
        .filter(act -> act.request().caller().name().equals(caller.name()));
  }

  @Override
  public void reserve(PendingRequest opening) {
    Caller caller = opening.request().caller();
    switch (places.take(caller)) {
      case TAKEN -> {}
      case FULL ->
          throw refusal(
              AdmissionLimit.ACT_LIMIT,
              Reason.ACT_LIMIT,
              "keywell.acts.max-open is reached: " + places.limit());
      case SHARE_FULL ->
          throw refusal(
              AdmissionLimit.ACT_SHARE,
              Reason.ACT_SHARE,
              "the caller's queue-share-percent of keywell.acts.max-open is reached: %d of %d"
                  .formatted(places.shareOf(caller), places.limit()));
    }
    CompletableFuture<SignOutcome> _ =
        opening
            .answer()
            .whenComplete((outcome, failure) -> {
              if (!(outcome instanceof SignOutcome.Opened)) {
                places.free(caller);
              }
            });
  }

  private RefusedException refusal(AdmissionLimit limit, Reason type, String detail) {
    listener.refused(limit);
    return new RefusedException(new Refusal(type, detail, SOON));
  }

  @Override
  public void keep(PendingRequest opening, SignOutcome.Opened opened) throws InterruptedException {
    OpenAct act = new OpenAct(opening, opened);
    acts.put(opening.request().requestId(), act);
    CompletableFuture<SignOutcome> onRecord = new CompletableFuture<>();
    CompletableFuture<SignOutcome> _ =
        onRecord.whenComplete((outcome, failure) -> {
          if (failure == null) {
            act.open();
            opening.answer().complete(opened);
            endIfClosed(act);
          } else {
            end(act, failed(act, FailureReason.RECORD_UNAVAILABLE, "the act is not on record"));
          }
        });
    records.ended(opening.request(), opening.times(), opened, onRecord);
  }

  @Override
  public void destroy(PendingRequest ended) {
    left.add(ended);
    worker.wake();
  }

  @Override
  public int endWithoutDevice(Duration atLeast) throws InterruptedException {
    int ended = 0;
    for (OpenAct act : acts.values()) {
      PendingRequest last = act.ending();
      if (last != null && last.thisCall().sinceReceipt().compareTo(atLeast) >= 0 && last.endNow()) {
        KeyLease key = last.key();
        record(
            act,
            last,
            KeyUse.of(key.stored().orElse(null), key.publicKey(), Destruction.NOT_CALLED));
        ended++;
      }
    }
    return ended;
  }

  private void record(OpenAct act, PendingRequest last, KeyUse use) throws InterruptedException {
    last.times().mark(Stage.REQUEST_FINISHED);
    records.ended(last.request(), last.times(), act.outcome(use), last.answer());
  }

  /** Ties its end to this request: its digests are on record. */
  void signs(OpenAct act, PendingRequest last) {
    whenEnded(act, last);
  }

  /** Opens it again: its digests could not be recorded. */
  void reopen(OpenAct act) {
    act.reopen();
    endIfClosed(act);
  }

  /** Ends an act for its caller. */
  OpenAct.Found cancel(OpenAct act) {
    IssuedCertificate issued = act.opened().issued();
    return end(act, use -> new SignOutcome.Cancelled(use, issued));
  }

  /** Ends an act whose record was closed elsewhere. */
  void closedElsewhere(OpenAct act) {
    act.reopen();
    end(act, failed(act, FailureReason.INTERRUPTED, "the act was closed by another"));
  }

  /**
   * Ends an act whose certificate was revoked.
   *
   * @param refused its second call, which is answered with that end
   */
  void revoked(OpenAct act, PendingRequest refused) {
    act.reopen();
    OpenAct.Found found =
        end(act, failed(act, FailureReason.ACT_REVOKED, "its certificate was revoked"));
    CompletableFuture<SignOutcome> _ =
        Objects.requireNonNull(found.last())
            .answer()
            .whenComplete((outcome, failure) -> {
              if (failure == null) {
                refused.answer().complete(outcome);
              } else {
                refused.answer().completeExceptionally(failure);
              }
            });
  }

  private static Function<KeyUse, SignOutcome> failed(
      OpenAct act, FailureReason reason, String detail) {
    IssuedCertificate issued = act.opened().issued();
    return use -> new SignOutcome.Failed(reason, detail, use, issued);
  }

  /** Ends an act that is open or could not be opened: its key is destroyed. */
  private OpenAct.Found end(OpenAct act, Function<KeyUse, SignOutcome> how) {
    OpenAct.Found found = act.end(how, new RequestTimes(clock, nanoClock));
    @Nullable PendingRequest last = found.last();
    if (found.begun() && last != null) {
      whenEnded(act, last);
      endings.add(new Ending(act, last));
      worker.wake();
    }
    return found;
  }

  private void whenEnded(OpenAct act, PendingRequest last) {
    PendingRequest opening = act.opening();
    CompletableFuture<SignOutcome> _ =
        last.answer()
            .whenComplete((outcome, failure) -> {
              acts.remove(act.request().requestId(), act);
              if (opening.answer().isDone()) {
                places.free(act.request().caller());
                RequestLog.tell(listener, last, outcome);
              } else if (failure == null) {
                opening.answer().complete(outcome);
              } else {
                opening.answer().completeExceptionally(failure);
              }
            });
  }

  private void endIfClosed(OpenAct act) {
    if (closed && act.isOpen()) {
      end(act, failed(act, FailureReason.INTERRUPTED, "the service is stopping"));
    }
  }

  /** Does one round of the thread's work. Returns how long to pause. */
  public Duration look() throws InterruptedException {
    for (OpenAct act : acts.values()) {
      if (act.isOpen()) {
        look(act);
      }
    }
    for (Ending next = endings.poll(); next != null; next = endings.poll()) {
      end(next);
    }
    for (PendingRequest next = left.poll(); next != null; next = left.poll()) {
      cycle.endedLate(next, cycle.destroy(next));
    }
    return LOOK;
  }

  private void look(OpenAct act) {
    if (!act.left().isPositive()) {
      IssuedCertificate issued = act.opened().issued();
      end(act, use -> new SignOutcome.Expired(use, issued));
    } else if (act.opening().key().isLost()) {
      end(act, failed(act, FailureReason.HSM_UNAVAILABLE, "the HSM has lost the act's key"));
    }
  }

  private void end(Ending ending) throws InterruptedException {
    PendingRequest last = ending.last();
    pools.requestBegan();
    KeyUse use;
    try {
      use = cycle.destroy(last);
    } finally {
      pools.requestEnded();
    }
    if (last.endNow()) {
      record(ending.act(), last, use);
    } else {
      cycle.endedLate(last, use);
    }
  }

  /** Ends all open acts, and from now on each that is opened. */
  public void close() {
    closed = true;
    acts.values().forEach(this::endIfClosed);
  }

  /**
   * Waits until no act is open, then stops the thread. Call only when no more can arrive.
   *
   * @return whether both happened in time
   */
  public boolean finish(Duration limit) throws InterruptedException {
    boolean none = places.awaitNone(limit);
    worker.stop();
    return worker.join(limit) && none;
  }
}
