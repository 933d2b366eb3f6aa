package org.keywell.signing.pool;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How fast a depth falls and rises, from samples. The drain rate is the higher one of the last 10
 * and the last 60 seconds: a small pool's drain shows at once, and a short pause does not hide a
 * drain. The fill rate is that of the last 60 seconds. Not thread-safe.
 */
final class DepthTrend {

  static final Duration SHORT = Duration.ofSeconds(10);
  static final Duration LONG = Duration.ofSeconds(60);

  /** Samples closer together than this say nothing about a rate. */
  static final Duration SHORTEST = Duration.ofMillis(500);

  private record Sample(long nanos, long depth) {}

  /** Oldest first; all others are younger than {@link #LONG}. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  /**
   * Adds a sample.
   *
   * @param nanos elapsed time, more than that of the previous sample
   * @param depth keys, 0 or more
   */
  void add(long nanos, long depth) {
    samples.addLast(new Sample(nanos, depth));
    // Compares differences: the clock may overflow.
    while (samples.size() > 1 && nanos - second().nanos() >= LONG.toNanos()) {
      samples.removeFirst();
    }
  }

  /** Returns keys lost per second, 0 or more; 0 while too little is known. */
  double drainPerSecond() {
    return Math.max(0, -Math.min(gainPerSecond(SHORT), gainPerSecond(LONG)));
  }

  /** Returns keys gained per second, 0 or more; 0 while too little is known. */
  double fillPerSecond() {
    return Math.max(0, gainPerSecond(LONG));
  }

  /** Covers the window, or what is known of it. */
  private double gainPerSecond(Duration window) {
    if (samples.isEmpty()) {
      return 0;
    }
    Sample last = samples.getLast();
    // The youngest sample as old as the window, or else the oldest.
    Sample first = samples.getFirst();
    for (Sample sample : samples) {
      if (last.nanos() - sample.nanos() >= window.toNanos()) {
        first = sample;
      }
    }
    long elapsed = last.nanos() - first.nanos();
    return elapsed < SHORTEST.toNanos() ? 0 : (last.depth() - first.depth()) * 1e9 / elapsed;
  }

  private Sample second() {
    var all = samples.iterator();
    all.next();
    return all.next();
  }
}
