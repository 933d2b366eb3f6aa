package org.keywell.loadgen.messages;

import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;

/** How many round trips may still begin, and how long those that have ended took. Thread-safe. */
final class Quota {
  private static final int DIGITS = 3;

  private final AtomicLong left;
  private final ConcurrentHistogram micros = new ConcurrentHistogram(DIGITS);

  Quota(long most) {
    this.left = new AtomicLong(most);
  }

  static Quota unlimited() {
    return new Quota(Long.MAX_VALUE);
  }

  /** Returns whether another one may begin. */
  boolean take() {
    return left.getAndDecrement() > 0;
  }

  void ended(long nanos) {
    micros.recordValue(nanos / 1_000);
  }

  double medianMillis() {
    return micros.getValueAtPercentile(50) / 1e3;
  }
}
