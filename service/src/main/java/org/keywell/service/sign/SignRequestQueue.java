package org.keywell.service.sign;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The bounded first-in first-out queue between admission and the sign handlers (thesis section
 * 3.7). A place is reserved before a request is recorded, so that a recorded request always has
 * one; {@link Admitted} holds it.
 *
 * <p>Thread-safe.
 */
public final class SignRequestQueue {

  private final int limit;
  private final Semaphore places;
  private final LinkedBlockingQueue<Admitted> waiting;

  /**
   * @param limit requests that may wait at the most
   */
  public SignRequestQueue(int limit) {
    this.limit = limit;
    this.places = new Semaphore(limit);
    this.waiting = new LinkedBlockingQueue<>(limit);
  }

  /** Reserves a place. Returns false if the queue is full. */
  public boolean reserve() {
    return places.tryAcquire();
  }

  /** Frees a place; {@link Admitted} sees to it that this is done once. */
  void release() {
    places.release();
  }

  /** Puts a request into the place that was reserved for it. */
  void enqueue(Admitted request) {
    if (!waiting.offer(request)) {
      throw new IllegalStateException("a request was queued without a reserved place");
    }
  }

  /** Takes the longest-waiting request and frees its place; null if none came in time. */
  @Nullable Admitted poll(long maxWaitNanos) throws InterruptedException {
    Admitted next = waiting.poll(maxWaitNanos, TimeUnit.NANOSECONDS);
    if (next != null) {
      next.begin();
    }
    return next;
  }

  /** Takes a request whose deadline has passed, wherever it stands; null if there is none. */
  @Nullable Admitted pollOverdue() {
    for (Admitted next : waiting) {
      if (!next.request().left().isPositive() && waiting.remove(next)) {
        next.begin();
        return next;
      }
    }
    return null;
  }

  /** Waits until no place is reserved or taken. Returns whether that is so in time. */
  public boolean awaitEmpty(Duration maxWait) throws InterruptedException {
    boolean empty = places.tryAcquire(limit, maxWait.toNanos(), TimeUnit.NANOSECONDS);
    if (empty) {
      places.release(limit);
    }
    return empty;
  }

  /** Places taken: requests that wait or are just being recorded. */
  public int length() {
    return limit - places.availablePermits();
  }

  public int limit() {
    return limit;
  }
}
