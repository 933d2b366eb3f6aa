package org.keywell.signing.sign;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.caller.Caller;
import org.keywell.signing.fairness.QuotaDecision;

/**
 * One request's right to be processed. It holds a place in the queue until work on it starts, and
 * keeps the device from being idle until it is settled. It must be settled exactly once; a further
 * call is a programming error.
 *
 * <p>Thread-safe.
 */
public final class Admitted {

  private enum State {
    WAITING,
    AT_WORK,
    SETTLED
  }

  private final PendingRequest request;
  private final SignRequestQueue queue;
  private final QuotaDecision.@Nullable Granted quota;
  private final Runnable ended;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  /**
   * Creates the right of a request with a reserved place, or of an act's second call.
   *
   * @param quota the unit it uses of its caller's; null for a second call, which uses none and
   *     needs no place: the limit on open acts bounds their number
   * @param ended runs when the request is settled
   */
  Admitted(
      PendingRequest request,
      SignRequestQueue queue,
      QuotaDecision.@Nullable Granted quota,
      Runnable ended) {
    this.request = request;
    this.queue = queue;
    this.quota = quota;
    this.ended = ended;
  }

  public PendingRequest request() {
    return request;
  }

  Caller caller() {
    return request.request().caller();
  }

  KeySpec keySpec() {
    return request.request().keySpec();
  }

  /** Whether a place in the queue is reserved for it. */
  boolean hasPlace() {
    return quota != null;
  }

  /** Queues the request in its place, for the handlers to take. */
  public void enqueue() {
    queue.enqueue(this);
  }

  /**
   * Frees the place: work on the request starts.
   *
   * @throws IllegalStateException if it has started before, or the request is settled
   */
  void begin() {
    if (!state.compareAndSet(State.WAITING, State.AT_WORK)) {
      throw new IllegalStateException("the request is " + state.get() + ", not WAITING");
    }
    release();
  }

  private void release() {
    if (hasPlace()) {
      queue.release(caller(), keySpec());
    }
  }

  /**
   * Settles the request: it is done with the device, regardless of the outcome, or never needs it.
   *
   * @throws IllegalStateException if it is settled
   */
  public void settle() {
    State before = state.getAndSet(State.SETTLED);
    if (before == State.SETTLED) {
      throw new IllegalStateException("the request is settled");
    }
    if (before == State.WAITING) {
      release();
    }
    ended.run();
  }

  /**
   * Settles a request that needs no work: it uses no quota.
   *
   * @throws IllegalStateException if it is settled
   */
  void withdraw() {
    settle();
    if (quota != null) {
      quota.giveBack();
    }
  }
}
