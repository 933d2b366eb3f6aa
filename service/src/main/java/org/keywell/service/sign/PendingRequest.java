package org.keywell.service.sign;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyLease;
import org.keywell.service.request.IssuedCertificate;
import org.keywell.service.request.RequestTimes;
import org.keywell.service.request.SignOutcome;
import org.keywell.service.request.SignRequest;

/**
 * An accepted request on its way. The work on it ends once: by the handler that has it, or in its
 * place by {@link StandIn}, where the handler does not come back from the device. Only who ends it
 * hands over an outcome.
 *
 * <p>Thread-safe.
 */
public final class PendingRequest {

  /** What the work on a request has come to. */
  enum Work {
    NO_KEY,
    HAS_KEY,
    ENDED
  }

  private final SignRequest request;
  private final RequestTimes times;
  private final RequestTimes thisCall;
  private final CompletableFuture<SignOutcome> answer = new CompletableFuture<>();
  private final AtomicReference<Work> work = new AtomicReference<>(Work.NO_KEY);
  private final @Nullable KeyKeeper keeper;
  private volatile @Nullable KeyLease key;
  private volatile @Nullable IssuedCertificate issued;

  public PendingRequest(SignRequest request, RequestTimes times) {
    this(request, times, null);
  }

  /**
   * The first call of an act, if it has a keeper.
   *
   * @param keeper of its key
   */
  public PendingRequest(SignRequest request, RequestTimes times, @Nullable KeyKeeper keeper) {
    this(request, times, times, keeper);
  }

  private PendingRequest(
      SignRequest request, RequestTimes times, RequestTimes thisCall, @Nullable KeyKeeper keeper) {
    this.request = request;
    this.times = times;
    this.thisCall = thisCall;
    this.keeper = keeper;
  }

  /**
   * What becomes of an act whose key is kept: its second call, or its end without one.
   *
   * @param request of the act, with the digests if there are any
   * @param thisCall when what came to this passed each stage; the act's own times go on
   */
  public PendingRequest(SignRequest request, PendingRequest opening, RequestTimes thisCall) {
    this(request, opening.times, thisCall, opening.keeper);
    this.key = opening.key();
    this.issued = opening.issued;
    work.set(Work.HAS_KEY);
  }

  public SignRequest request() {
    return request;
  }

  public RequestTimes times() {
    return times;
  }

  /**
   * Since when this is at work: the same, but for an act's second call, whose act had been at work
   * before.
   */
  public RequestTimes thisCall() {
    return thisCall;
  }

  /**
   * Completes with the outcome once that is durable; fails as {@link
   * org.keywell.service.record.RecordWriter} does if it cannot be made so, or with {@link
   * org.keywell.service.request.RefusedException} if the request was refused after all.
   */
  public CompletableFuture<SignOutcome> answer() {
    return answer;
  }

  /** What is left of the request's time; zero or less once its deadline has passed. */
  public Duration left() {
    return request.deadline().minus(times.sinceReceipt());
  }

  /**
   * The request is given a key, to sign with or to answer for.
   *
   * @return false if the work has ended: nobody answers for the key but the caller
   */
  boolean take(KeyLease lease) {
    key = lease;
    return work.compareAndSet(Work.NO_KEY, Work.HAS_KEY);
  }

  /** The key that the request was given; to be asked only if it was given one. */
  public KeyLease key() {
    KeyLease lease = key;
    if (lease == null) {
      throw new IllegalStateException("the request has no key");
    }
    return lease;
  }

  /**
   * The request's key was certified before it signed: whoever ends the request has it on record.
   */
  void certified(IssuedCertificate certificate) {
    issued = certificate;
  }

  /** The certificate of the request's key, if it was certified before it signed; else null. */
  public @Nullable IssuedCertificate issued() {
    return issued;
  }

  /** Keeps the keys of acts in two calls; null in one. */
  @Nullable KeyKeeper keeper() {
    return keeper;
  }

  /**
   * Ends the work, on behalf of who has its key.
   *
   * @return whether it had not ended before
   */
  public boolean endNow() {
    return end() != Work.ENDED;
  }

  /**
   * Ends the work.
   *
   * @return what it had come to; {@link Work#ENDED}: another has ended it before
   */
  Work end() {
    return work.getAndSet(Work.ENDED);
  }

  boolean hasEnded() {
    return work.get() == Work.ENDED;
  }
}
