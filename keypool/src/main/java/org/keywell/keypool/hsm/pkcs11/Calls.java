package org.keywell.keypool.hsm.pkcs11;

import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * Times PKCS#11 calls and tracks those in progress, so that a hanging device is noticed before its
 * call returns. Allocates nothing while calls stay within their limits. Thread-safe.
 */
final class Calls {

  /** The bits of an entry that hold the function's index plus one, so that no call's entry is 0. */
  private static final long FUNCTION_MASK = 127;

  /**
   * A call in progress.
   *
   * @param beganNanos by {@link System#nanoTime}
   */
  record Running(CkFunction function, long beganNanos) {}

  /**
   * The start of each call in progress, by {@link System#nanoTime}, except the last bits, which
   * hold the function; 0 where there is none. In one number, so that both are read at once.
   */
  private final AtomicLongArray running;

  private final int mask;
  private final CallLimits limits;
  private final CallListener listener;

  /**
   * @param atOnce the maximum number of calls in progress at the same time
   */
  Calls(int atOnce, CallLimits limits, CallListener listener) {
    // At least twice as many places as calls, so that a free one is near.
    int places = Integer.highestOneBit(2 * atOnce) << 1;
    this.running = new AtomicLongArray(places);
    this.mask = places - 1;
    this.limits = limits;
    this.listener = listener;
  }

  /** Records the start of a call and returns its place, to pass to {@link #ended} once. */
  int begins(CkFunction function) {
    long entry = (System.nanoTime() & ~FUNCTION_MASK) | (function.index() + 1);
    int place = (int) Thread.currentThread().threadId() & mask;
    while (!running.compareAndSet(place, 0, entry)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** Records the end of a call. Returns its return value. */
  long ended(int place, long returnValue) {
    long entry = running.get(place);
    running.set(place, 0);
    listener.returned(function(entry), returnValue, began(entry), System.nanoTime());
    return returnValue;
  }

  /** As {@link #ended}, without notifying the listener. */
  void over(int place) {
    running.set(place, 0);
  }

  int inProgress() {
    int count = 0;
    for (int i = 0; i < running.length(); i++) {
      count += running.get(i) == 0 ? 0 : 1;
    }
    return count;
  }

  /** Returns how long the oldest call in progress has been running; 0 if there is none. */
  long oldestNanos() {
    long now = System.nanoTime();
    long oldest = 0;
    for (int i = 0; i < running.length(); i++) {
      long entry = running.get(i);
      oldest = entry == 0 ? oldest : Math.max(oldest, now - began(entry));
    }
    return oldest;
  }

  /** Returns a call that has exceeded its limit; null if there is none. */
  @Nullable Running overdue() {
    return overdue(System.nanoTime());
  }

  @Nullable Running overdue(long nowNanos) {
    for (int i = 0; i < running.length(); i++) {
      long entry = running.get(i);
      if (entry != 0 && limits.exceeded(function(entry), nowNanos - began(entry))) {
        return new Running(function(entry), began(entry));
      }
    }
    return null;
  }

  private static CkFunction function(long entry) {
    return CkFunction.at((int) (entry & FUNCTION_MASK) - 1);
  }

  private static long began(long entry) {
    return entry & ~FUNCTION_MASK;
  }
}
