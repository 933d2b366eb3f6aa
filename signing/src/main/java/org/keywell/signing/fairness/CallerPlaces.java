package org.keywell.signing.fairness;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.keywell.signing.caller.Caller;

/**
 * A number of places, of which each caller has at most its share, and at least one. If the shares
 * of all callers add up to 100 percent or less, none can take a place that another is entitled to.
 * Callers without a place are not remembered.
 *
 * <p>Thread-safe.
 */
public final class CallerPlaces {

  /** The result of an attempt to take a place. */
  public enum Taking {
    TAKEN,
    /** All places are taken. */
    FULL,
    /** The caller's share is full; other places are free. */
    SHARE_FULL
  }

  private static final int WHOLE_PERCENT = 100;

  /** A caller with at least one place. Guarded by the lock. */
  private static final class Held {
    private int places;
  }

  private final int limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition noneTaken = lock.newCondition();
  private final Map<String, Held> holders = new HashMap<>();

  /** Changed under the lock. */
  private final AtomicInteger taken = new AtomicInteger();

  public CallerPlaces(int limit) {
    this.limit = limit;
  }

  /** Returns how many places a caller may have. */
  public int shareOf(Caller caller) {
    return (int) Math.max(1, (long) limit * weightOf(caller) / WHOLE_PERCENT);
  }

  /** Takes a place, to be {@linkplain #free freed} once. */
  public Taking take(Caller caller) {
    lock.lock();
    try {
      if (taken.get() == limit) {
        return Taking.FULL;
      }
      @Nullable Held held = holders.get(caller.name());
      if (held != null && held.places >= shareOf(caller)) {
        return Taking.SHARE_FULL;
      }
      if (held == null) {
        held = new Held();
        holders.put(caller.name(), held);
      }
      held.places++;
      taken.incrementAndGet();
      return Taking.TAKEN;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Frees one of this caller's places.
   *
   * @throws IllegalStateException if it has none
   */
  public void free(Caller caller) {
    lock.lock();
    try {
      @Nullable Held held = holders.get(caller.name());
      if (held == null) {
        throw new IllegalStateException(caller.name() + " has no place");
      }
      held.places--;
      if (held.places == 0) {
        holders.remove(caller.name());
      }
      if (taken.decrementAndGet() == 0) {
        noneTaken.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether the caller's share is full. */
  public boolean isShareFull(Caller caller) {
    lock.lock();
    try {
      @Nullable Held held = holders.get(caller.name());
      return held != null && held.places >= shareOf(caller);
    } finally {
      lock.unlock();
    }
  }

  private static int weightOf(Caller caller) {
    return caller.limits().queueSharePercent();
  }

  /** Waits until no place is taken. Returns whether this happened in time. */
  public boolean awaitNone(Duration maxWait) throws InterruptedException {
    lock.lock();
    try {
      long left = maxWait.toNanos();
      while (taken.get() > 0) {
        if (left <= 0) {
          return false;
        }
        left = noneTaken.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  public int taken() {
    return taken.get();
  }

  public int limit() {
    return limit;
  }
}
