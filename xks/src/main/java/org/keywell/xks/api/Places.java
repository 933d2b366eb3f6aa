package org.keywell.xks.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Places for requests that are worked on at the same time. One that becomes free goes to the
 * waiting caller that holds the fewest, so that none can starve another. Thread-safe.
 */
final class Places {

  private record Waiting(String caller, Semaphore turn) {}

  /** In order of arrival. INVARIANT: empty unless all places are taken. */
  private final List<Waiting> waiting = new ArrayList<>();

  private final Map<String, Integer> held = new HashMap<>();
  private int free;

  Places(int most) {
    this.free = most;
  }

  /**
   * Takes a place, which {@link #leave} gives back.
   *
   * @param untilNanos when to give up waiting, by {@link System#nanoTime}
   * @return false if there was none
   */
  boolean enter(String caller, long untilNanos) {
    Waiting mine = new Waiting(caller, new Semaphore(0));
    synchronized (this) {
      if (free > 0) {
        take(caller);
        return true;
      }
      waiting.add(mine);
    }
    try {
      boolean _ = mine.turn().tryAcquire(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      return !waiting.remove(mine);
    }
  }

  synchronized void leave(String caller) {
    held.computeIfPresent(caller, (_, places) -> places == 1 ? null : places - 1);
    free++;
    waiting.stream()
        .min(Comparator.comparingInt(one -> held.getOrDefault(one.caller(), 0)))
        .ifPresent(next -> {
          waiting.remove(next);
          take(next.caller());
          next.turn().release();
        });
  }

  private void take(String caller) {
    free--;
    held.merge(caller, 1, Integer::sum);
  }

  /** Returns how many requests wait. */
  synchronized int waiting() {
    return waiting.size();
  }
}
