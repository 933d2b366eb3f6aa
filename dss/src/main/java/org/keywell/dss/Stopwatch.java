package org.keywell.dss;

import java.time.Duration;

/** Measures consecutive laps. Not thread-safe. */
final class Stopwatch {
  private long last = System.nanoTime();

  Duration lap() {
    long now = System.nanoTime();
    Duration lap = Duration.ofNanos(now - last);
    last = now;
    return lap;
  }
}
