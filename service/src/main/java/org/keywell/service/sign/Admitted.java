package org.keywell.service.sign;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.caller.Caller;
import org.keywell.service.fairness.QuotaDecision;

/**
 * The right of one request to be worked on. It holds a place in the queue until work on it begins,
 * and the device from being idle until it is settled, which is done exactly once; a further call is
 * a programming error.
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
   * Of a request that a place is reserved for, or of an act's second call.
   *
   * @param quota what it uses of its caller's; null of a second call, which uses nothing more and
   *     needs no place: as many as acts may be open, at the most
   * @param ended is told when the request is settled
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

  /** Puts the request into its place, for the handlers to take. */
  public void enqueue() {
    queue.enqueue(this);
  }

  /**
   * Frees the place: work on the request begins.
   *
   * @throws IllegalStateException if it has begun before, or the request is settled
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
   * The request is done with the device, whatever its outcome, or will never come to it.
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
   * Settles a request that there is nothing to do for: it counts towards no quota.
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
