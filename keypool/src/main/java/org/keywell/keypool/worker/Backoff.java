package org.keywell.keypool.worker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Pauses between consecutive failures: each twice as long as the last, up to a limit. */
public final class Backoff {

  private final Duration first;
  private final Duration longest;
  private @Nullable Duration last;

  public Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
  }

  /** Whether the last outcome was a failure. */
  public boolean failing() {
    return last != null;
  }

  /** Notes a failure and returns how long to pause. */
  public Duration afterFailure() {
    Duration next = last == null ? first : last.multipliedBy(2);
    last = next.compareTo(longest) < 0 ? next : longest;
    return last;
  }

  public void succeeded() {
    last = null;
  }
}
