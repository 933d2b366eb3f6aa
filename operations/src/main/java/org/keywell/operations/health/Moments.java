package org.keywell.operations.health;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/** Converts moments of the elapsed-time clock to calendar time. */
public final class Moments {

  private final InstantSource clock;
  private final LongSupplier nanoClock;

  public Moments(InstantSource clock, LongSupplier nanoClock) {
    this.clock = clock;
    this.nanoClock = nanoClock;
  }

  /** Returns a moment's calendar time, as exact as two clocks read in turn. */
  public Instant at(long nanos) {
    return clock.instant().minusNanos(ageNanos(nanos)).truncatedTo(ChronoUnit.MILLIS);
  }

  /** Returns how long ago it was. */
  public long ageNanos(long nanos) {
    return nanoClock.getAsLong() - nanos;
  }

  Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
