package org.keywell.service.sign;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.keywell.service.caller.Caller;
import org.keywell.service.fairness.CallerPlaces;
import org.keywell.service.fairness.FairTurns;

/**
 * The bounded queue between admission and the sign handlers: callers take turns by their shares,
 * and a caller's requests are served first in, first out; with one caller it is the thesis's queue
 * (section 3.7). A place is reserved before a request is recorded, so that a recorded request
 * always has one; {@link Admitted} holds it. The second call of an act needs none: there are no
 * more of them than acts may be open.
 *
 * <p>Thread-safe.
 */
public final class SignRequestQueue {

  private final CallerPlaces places;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition notEmpty = lock.newCondition();

  /** Guarded by the lock. */
  private final FairTurns<Admitted> waiting = new FairTurns<>();

  /** Of those that wait, the ones without a place. Guarded by the lock. */
  private int withoutPlace;

  /**
   * @param limit requests that may wait at the most
   */
  public SignRequestQueue(int limit) {
    this.places = new CallerPlaces(limit);
  }

  /** Reserves a place for a request of this caller's. */
  public CallerPlaces.Taking reserve(Caller caller) {
    return places.take(caller);
  }

  /** Frees a place; {@link Admitted} sees to it that this is done once. */
  void release(Caller caller) {
    places.free(caller);
  }

  /** Puts a request into the place that was reserved for it. */
  void enqueue(Admitted request) {
    Caller caller = request.caller();
    lock.lock();
    try {
      if (!request.hasPlace()) {
        withoutPlace++;
      } else if (waiting.size() - withoutPlace == places.limit()) {
        throw new IllegalStateException("a request was queued without a reserved place");
      }
      waiting.add(caller.name(), caller.limits().queueSharePercent(), request);
      notEmpty.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the request whose turn it is and frees its place; null if none came in time. */
  @Nullable Admitted poll(long maxWaitNanos) throws InterruptedException {
    Admitted next;
    lock.lockInterruptibly();
    try {
      long left = maxWaitNanos;
      for (next = waiting.poll(); next == null && left > 0; next = waiting.poll()) {
        left = notEmpty.awaitNanos(left);
      }
      taken(next);
    } finally {
      lock.unlock();
    }
    return begun(next);
  }

  /** Takes a request whose deadline has passed, wherever it stands; null if there is none. */
  @Nullable Admitted pollOverdue() {
    Admitted next;
    lock.lock();
    try {
      next = waiting.remove(request -> !request.request().left().isPositive());
      taken(next);
    } finally {
      lock.unlock();
    }
    return begun(next);
  }

  private void taken(@Nullable Admitted next) {
    if (next != null && !next.hasPlace()) {
      withoutPlace--;
    }
  }

  private static @Nullable Admitted begun(@Nullable Admitted next) {
    if (next != null) {
      next.begin();
    }
    return next;
  }

  /** Waits until no place is reserved or taken. Returns whether that is so in time. */
  public boolean awaitEmpty(Duration maxWait) throws InterruptedException {
    return places.awaitNone(maxWait);
  }

  /** Places taken: requests that wait or are just being recorded. */
  public int length() {
    return places.taken();
  }

  public int limit() {
    return places.limit();
  }

  /** How many requests are worked on before the next one of this caller's, about. */
  int before(Caller caller) {
    return places.before(caller);
  }

  /** Places that a caller may have. */
  int shareOf(Caller caller) {
    return places.shareOf(caller);
  }

  /** Whether a caller has as many places as it may. */
  boolean isShareFull(Caller caller) {
    return places.isShareFull(caller);
  }
}
