package org.keywell.keypool;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long to pause between failures that follow each other: twice as long each time, bounded. */
final class Backoff {

  private final Duration first;
  private final Duration longest;
  private @Nullable Duration last;

  Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
  }

  /** Whether the last thing that happened was a failure. */
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
