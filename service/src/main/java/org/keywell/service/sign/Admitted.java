package org.keywell.service.sign;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

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
  private final Runnable ended;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

  private Admitted(PendingRequest request, SignRequestQueue queue, Runnable ended) {
    this.request = request;
    this.queue = queue;
    this.ended = ended;
  }

  /**
   * Admits a request if the queue has a place for it.
   *
   * @param began is told if it has one
   * @param ended is told when the request is settled
   */
  static Optional<Admitted> to(
      SignRequestQueue queue, PendingRequest request, Runnable began, Runnable ended) {
    if (!queue.reserve()) {
      return Optional.empty();
    }
    began.run();
    return Optional.of(new Admitted(request, queue, ended));
  }

  public PendingRequest request() {
    return request;
  }

  /** Puts the request into its place, for the handlers to take. */
  void enqueue() {
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
    queue.release();
  }

  /**
   * The request is done with the device, whatever its outcome, or will never come to it.
   *
   * @throws IllegalStateException if it is settled
   */
  void settle() {
    State before = state.getAndSet(State.SETTLED);
    if (before == State.SETTLED) {
      throw new IllegalStateException("the request is settled");
    }
    if (before == State.WAITING) {
      queue.release();
    }
    ended.run();
  }
}
