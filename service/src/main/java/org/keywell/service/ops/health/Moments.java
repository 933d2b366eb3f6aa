package org.keywell.service.ops.health;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** Turns moments of the elapsed-time clock into those of the calendar. */
public final class Moments {

  private final InstantSource clock;
  private final LongSupplier nanoClock;

  public Moments(InstantSource clock, LongSupplier nanoClock) {
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /** The calendar's time of a moment, as exact as two clocks read one after the other. */
  public Instant at(long nanos) {
    return clock.instant().minusNanos(ageNanos(nanos)).truncatedTo(ChronoUnit.MILLIS);
  }

  /** How long ago a moment was. */
  public long ageNanos(long nanos) {
    return nanoClock.getAsLong() - nanos;
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
