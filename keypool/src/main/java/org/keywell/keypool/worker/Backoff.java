package org.keywell.keypool;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Pauses between consecutive failures: each twice as long as the last, up to a limit. */
final class Backoff {

  private final Duration first;
  private final Duration longest;
  private @Nullable Duration last;

  Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
  }

  /** Whether the last outcome was a failure. */
  boolean failing() {
    return last != null;
  }

  Duration afterFailure() {
    Duration next = last == null ? first : last.multipliedBy(2);
    last = next.compareTo(longest) < 0 ? next : longest;
    return last;
  }

  void succeeded() {
    last = null;
  }
}
