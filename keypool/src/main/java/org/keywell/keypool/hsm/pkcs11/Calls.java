package org.keywell.keypool.hsm.pkcs11;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Times the calls of PKCS#11 functions and knows which are in progress, so that a device that hangs
 * is seen before it returns. Allocates nothing. Thread-safe.
 */
final class Calls {

  /** When each call in progress began, by {@link System#nanoTime}; 0 where there is none. */
  private final AtomicLongArray began;

  private final int mask;
  private final CallListener listener;

  /**
   * @param atOnce how many calls may be in progress at the same time
   */
  Calls(int atOnce, CallListener listener) {
    // Twice as many places as calls, so that a free one is near.
    int places = Integer.highestOneBit(2 * atOnce) << 1;
    this.began = new AtomicLongArray(places);
    this.mask = places - 1;
    this.listener = listener;
  }

  /** A call begins. Returns what {@link #ended} wants; every call of this has one of that. */
  int begins() {
    long now = System.nanoTime() | 1;
    int place = (int) Thread.currentThread().threadId() & mask;
    while (!began.compareAndSet(place, 0, now)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  /** A call has returned. Returns its return value. */
  long ended(int place, CkFunction function, long returnValue) {
    long beganNanos = began.get(place);
    began.set(place, 0);
    listener.returned(function, returnValue, beganNanos, System.nanoTime());
    return returnValue;
  }

  int inProgress() {
    int count = 0;
    for (int i = 0; i < began.length(); i++) {
      count += began.get(i) == 0 ? 0 : 1;
    }
    return count;
  }

  /** How long the longest call in progress has been running; 0 if there is none. */
  long oldestNanos() {
    long now = System.nanoTime();
    long oldest = 0;
    for (int i = 0; i < began.length(); i++) {
      long start = began.get(i);
      oldest = start == 0 ? oldest : Math.max(oldest, now - start);
    }
    return oldest;
  }
}
