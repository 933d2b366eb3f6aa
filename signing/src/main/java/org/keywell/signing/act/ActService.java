package org.keywell.signing.act;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.keywell.identity.ProvenIdentity;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.record.ActRecord;
import org.keywell.signing.record.ActStanding;
import org.keywell.signing.record.RecordException;
import org.keywell.signing.record.RecordWriter;
import org.keywell.signing.record.SignRecord;
import org.keywell.signing.request.Refusal;
import org.keywell.signing.request.Refusal.Reason;
import org.keywell.signing.request.RefusedException;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;
import org.keywell.signing.request.SigningForm;
import org.keywell.signing.sign.Admission;
import org.keywell.signing.sign.Admitted;
import org.keywell.signing.sign.PendingRequest;
import org.keywell.signing.sign.SignService;

/**
 * Opens acts, signs their digests and cancels them; each call may be repeated. An act belongs to
 * its caller; to any other it is unknown. Ended acts are on record, where every instance finds
 * them; open acts are at the instance that has their key.
 *
 * <p>Thread-safe; designed for many waiting virtual threads.
 */
public final class ActService {

  private final SignService service;
  private final OpenActs acts;
  private final Admission admission;
  private final RecordWriter writer;
  private final String instance;

  /** The second call's digests, not decoded yet: the act has stated what they must be. */
  @FunctionalInterface
  public interface Digests {

    /**
     * Decodes the digests.
     *
     * @param stated how many the act was opened for
     * @throws RuntimeException of the entry point, if they are not as stated; the act stays open
     */
    List<byte[]> read(DigestAlgorithm algorithm, int stated);
  }

  /**
   * @param instance this instance's name
   */
  public ActService(
      SignService service,
      OpenActs acts,
      Admission admission,
      RecordWriter writer,
      String instance) {
    this.service = service;
    this.acts = acts;
    this.admission = admission;
    this.writer = writer;
    this.instance = instance;
  }

  /**
   * Opens an act, or returns the earlier result for its id.
   *
   * @return the record, durable
   * @throws RefusedException if the act is refused or there is no answer in time
   */
  public SignRecord open(SignRequest request, RequestTimes times) throws InterruptedException {
    boolean isOpen =
        acts.find(request.requestId(), request.caller()).filter(OpenAct::isOpen).isPresent();
    SignRecord record =
        isOpen
            ? service.repeat(request, times)
            : service.sign(new PendingRequest(request, times, acts));
    return here(record);
  }

  /**
   * Returns the earlier result for an act's id.
   *
   * @throws RefusedException if there is none, or none in time
   */
  public SignRecord repeat(SignRequest request, RequestTimes times) throws InterruptedException {
    return here(service.repeat(request, times));
  }

  /** Completes the record of an act that was just opened, if it was not read back. */
  private SignRecord here(SignRecord record) {
    return record.act() != null
        ? record
        : record.as(
            new ActRecord(
                instance,
                record.outcome() instanceof SignOutcome.Opened opened ? opened.expires() : null,
                List.of()));
  }

  /**
   * Returns the record of an act: one of this caller's, or anyone's if it may read all.
   *
   * @throws RefusedException if there is none
   */
  public SignRecord find(UUID actId, Caller caller) {
    SignRecord record = service.find(actId, caller);
    if (record.act() == null) {
      throw SignService.unknown(actId);
    }
    return record;
  }

  /**
   * Signs the digests of an act, or returns the answer that they got earlier.
   *
   * @return the record, durable
   * @throws RefusedException if they are not signed; the act stays open unless that says otherwise
   */
  public SignRecord sign(UUID actId, Digests brought, Caller caller, RequestTimes thisCall)
      throws InterruptedException {
    Optional<OpenAct> here = acts.find(actId, caller);
    if (here.isEmpty()) {
      return signedBefore(actId, brought, caller);
    }
    OpenAct act = here.get();
    SignRequest request = act.request();
    List<byte[]> digests = brought.read(request.digestAlgorithm(), stated(request.form()));
    requireBound(request, digests);
    OpenAct.Found found = act.sign(digests, thisCall);
    @Nullable PendingRequest last = found.last();
    if (last == null) {
      throw act.left().isPositive() ? SignService.inProgress() : expired(actId);
    }
    if (found.begun()) {
      start(act, last);
    } else {
      requireSame(digests, last.request().digests());
    }
    return service.await(last);
  }

  private static void requireBound(SignRequest request, List<byte[]> digests) {
    ProvenIdentity identity = request.identity();
    if (identity != null && !identity.mayServe(request.digestAlgorithm().label(), digests)) {
      throw new RefusedException(
          Reason.PROOF_NOT_BOUND, "the ticket is bound to other digests; the act stays open");
    }
  }

  /** Starts the signing; the call's answer completes in any case. */
  private void start(OpenAct act, PendingRequest last) throws InterruptedException {
    Admitted admitted;
    try {
      admitted = admission.admitSecondCall(last);
    } catch (RefusedException e) {
      last.answer().completeExceptionally(e);
      acts.reopen(act);
      return;
    }
    boolean recording = false;
    try {
      CompletableFuture<ActStanding> _ =
          writer
              .digests(last.request(), act.opened().issued(), last.thisCall().now())
              .whenComplete((standing, failure) -> recorded(act, admitted, standing, failure));
      recording = true;
    } finally {
      if (!recording) {
        admitted.settle();
        last.answer().completeExceptionally(SignService.inProgress());
        acts.reopen(act);
      }
    }
  }

  /** Continues on the thread that recorded the digests: the caller's thread may give up. */
  private void recorded(
      OpenAct act, Admitted admitted, @Nullable ActStanding standing, @Nullable Throwable failure) {
    PendingRequest last = admitted.request();
    if (failure != null || standing == null) {
      admitted.settle();
      last.answer().completeExceptionally(Objects.requireNonNull(failure));
      acts.reopen(act);
      return;
    }
    switch (standing) {
      case OPEN -> {
        acts.signs(act, last);
        admitted.enqueue();
      }
      case REVOKED -> {
        admitted.settle();
        acts.revoked(act, last);
      }
      case CLOSED -> {
        admitted.settle();
        last.answer().completeExceptionally(new RecordException("the act was closed by another"));
        acts.closedElsewhere(act);
      }
    }
  }

  /** Answers for an act that has ended, is elsewhere or is missing. */
  private SignRecord signedBefore(UUID actId, Digests brought, Caller caller) {
    SignRecord record = own(actId, caller);
    List<byte[]> digests =
        brought.read(DigestAlgorithm.ofLabel(record.digestAlgorithm()), stated(record.form()));
    if (record.outcome() instanceof SignOutcome.Signed) {
      requireSame(digests, Objects.requireNonNull(record.act()).digests());
    }
    return notOpen(record);
  }

  private static void requireSame(List<byte[]> digests, List<byte[]> before) {
    if (!before.isEmpty() && !OpenAct.same(digests, before)) {
      throw new RefusedException(
          Reason.ACT_SIGNED, "the act has already signed other digests; it signs only once");
    }
  }

  /**
   * Ends an act that has not signed.
   *
   * @return the record of its end, durable
   * @throws RefusedException if this caller cannot end it, or there is no answer in time
   */
  public SignRecord cancel(UUID actId, Caller caller) throws InterruptedException {
    Optional<OpenAct> here = acts.find(actId, caller);
    if (here.isEmpty()) {
      return notOpen(own(actId, caller));
    }
    OpenAct act = here.get();
    if (act.isOpening()) {
      throw SignService.inProgress();
    }
    if (act.isOpen() && !act.left().isPositive()) {
      throw expired(actId);
    }
    return service.await(Objects.requireNonNull(acts.cancel(act).last()));
  }

  private SignRecord own(UUID actId, Caller caller) {
    SignRecord record = find(actId, caller);
    if (!record.caller().equals(caller.name())) {
      throw SignService.unknown(actId);
    }
    return record;
  }

  private SignRecord notOpen(SignRecord record) {
    if (!(record.outcome() instanceof SignOutcome.Opened)) {
      return record;
    }
    String holder = Objects.requireNonNull(record.act()).instance();
    if (holder.equals(instance)) {
      // It has ended here, but its end is not recorded yet.
      throw new RefusedException(
          new Refusal(
              Reason.RECORD_UNAVAILABLE,
              "the act has ended, but its record does not show it yet",
              Duration.ofSeconds(5)));
    }
    throw new RefusedException(
        new Refusal(
            Reason.ACT_ELSEWHERE,
            "act %s is open at instance %s".formatted(record.requestId(), holder),
            null,
            holder));
  }

  private static RefusedException expired(UUID actId) {
    return new RefusedException(
        Reason.ACT_EXPIRED,
        "act %s was not signed within its time to live; open a new one".formatted(actId));
  }

  private static int stated(SigningForm form) {
    return switch (form) {
      case SigningForm.InTwoCalls act -> act.digests();
      case SigningForm.Bare _, SigningForm.Contained _ ->
          throw new IllegalArgumentException("no act in two calls");
    };
  }
}
