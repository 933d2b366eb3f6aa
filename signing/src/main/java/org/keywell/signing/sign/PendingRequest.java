package org.keywell.signing.sign;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.KeyLease;
import org.keywell.signing.request.IssuedCertificate;
import org.keywell.signing.request.RequestTimes;
import org.keywell.signing.request.SignOutcome;
import org.keywell.signing.request.SignRequest;

/**
 * An accepted request in progress. The work on it ends once: by its handler, or by {@link StandIn}
 * if the handler does not return from the device. Only the one that ends it hands over an outcome.
 *
 * <p>Thread-safe.
 */
public final class PendingRequest {

  /** The progress of the work on a request. */
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
   * Creates the first call of an act, if there is a keeper.
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
   * Creates what ends an act whose key is kept: its second call, or its end without one.
   *
   * @param request of the act, with the digests if there are any
   * @param thisCall the stages of this call; the act's own times continue
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

  /** Returns the times of this call: {@link #times}, except for an act's second call or end. */
  public RequestTimes thisCall() {
    return thisCall;
  }

  /**
   * Returns the answer. It completes with the outcome once that is durable; fails as {@link
   * org.keywell.signing.record.RecordWriter} does otherwise, or with {@link
   * org.keywell.signing.request.RefusedException} if the request was refused after all.
   */
  public CompletableFuture<SignOutcome> answer() {
    return answer;
  }

  /** Returns the request's remaining time; zero or less after its deadline. */
  public Duration left() {
    return request.deadline().minus(times.sinceReceipt());
  }

  /**
   * Gives the request a key, to sign with or to account for.
   *
   * @return false if the work has ended: only the calling method accounts for the key
   */
  boolean take(KeyLease lease) {
    key = lease;
    return work.compareAndSet(Work.NO_KEY, Work.HAS_KEY);
  }

  /** Returns the request's key; call only if it was given one. */
  public KeyLease key() {
    KeyLease lease = key;
    if (lease == null) {
      throw new IllegalStateException("the request has no key");
    }
    return lease;
  }

  /** Notes the certificate of a key that has not signed, for the record of its outcome. */
  void certified(IssuedCertificate certificate) {
    issued = certificate;
  }

  /** Returns the certificate of a key that was certified before it signed; else null. */
  public @Nullable IssuedCertificate issued() {
    return issued;
  }

  /** Returns the keeper of keys of acts in two calls; null in one. */
  @Nullable KeyKeeper keeper() {
    return keeper;
  }

  /**
   * Ends the work, on behalf of the key's holder.
   *
   * @return whether it had not ended before
   */
  public boolean endNow() {
    return end() != Work.ENDED;
  }

  /**
   * Ends the work.
   *
   * @return its progress before; {@link Work#ENDED}: it had already ended
   */
  Work end() {
    return work.getAndSet(Work.ENDED);
  }

  boolean hasEnded() {
    return work.get() == Work.ENDED;
  }
}
