package org.keywell.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Calendar and elapsed time that a test moves, each by itself. Confined to one thread. */
public final class ManualTime implements InstantSource, LongSupplier {

  private Instant now = Instant.parse("2026-03-01T12:00:00.123456789Z");
  private long nanos = Long.MAX_VALUE - 1_000;
  private Duration perReading = Duration.ZERO;

  @Override
  public Instant instant() {
    return now;
  }

  /** Starts close to its overflow, as {@link System#nanoTime} may. */
  @Override
  public long getAsLong() {
    nanos += perReading.toNanos();
    return nanos;
  }

  /** Time that passes. */
  public void advance(Duration time) {
    now = now.plus(time);
    nanos += time.toNanos();
  }

  /** Someone sets the calendar; no time passes. */
  public void setBack(Duration time) {
    now = now.minus(time);
  }

  /** From now on so much time passes each time that it is asked for. */
  public void advancePerReading(Duration time) {
    perReading = time;
  }
}
