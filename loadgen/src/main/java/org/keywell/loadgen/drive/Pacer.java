package org.keywell.loadgen.drive;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Waits for points in time more precisely than a thread wakes up from sleep: parks for most of the
 * wait and spins for the rest.
 */
public final class Pacer {

  /** What the kernel may add to a park: the usual timer slack, and the return to a core. */
  private static final long SPIN_NANOS = 120_000;

  /** A wait notices within this time that it is to be given up. */
  private static final long LONGEST_PARK_NANOS = 50_000_000;

  private final LongSupplier nanoClock;
  private final LongConsumer park;

  /**
   * Creates a pacer.
   *
   * @param nanoClock elapsed time
   * @param park lets roughly the given nanoseconds pass
   */
  public Pacer(LongSupplier nanoClock, LongConsumer park) {
    this.nanoClock = nanoClock;
    this.park = park;
  }

  public static Pacer onSystemClock() {
    return new Pacer(System::nanoTime, LockSupport::parkNanos);
  }

  /**
   * Waits until the clock shows at least {@code dueNanos}; returns at once if it already does.
   *
   * @return false if the wait was given up
   */
  public boolean await(long dueNanos, BooleanSupplier givenUp) {
    while (!givenUp.getAsBoolean()) {
      long left = dueNanos - nanoClock.getAsLong();
      if (left <= 0) {
        return true;
      }
      if (left > SPIN_NANOS) {
        park.accept(Math.min(left - SPIN_NANOS, LONGEST_PARK_NANOS));
      } else {
        Thread.onSpinWait();
      }
    }
    return false;
  }

  long nanos() {
    return nanoClock.getAsLong();
  }
}
