package org.keywell.keypool;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether keys may be generated in a device: no request of this instance takes precedence, and no
 * other instance is known to use the device. Generators ask before each key (thesis section 3.2).
 * Thread-safe.
 */
final class Idleness {

  private final SigningActivity requests;
  private final LongSupplier nanoClock;
  private volatile long elsewhereUntilNanos;

  /**
   * @param requests those that may need the device
   * @param nanoClock elapsed time, as {@link System#nanoTime}
   */
  Idleness(SigningActivity requests, LongSupplier nanoClock) {
    this.requests = requests;
    this.nanoClock = nanoClock;
    this.elsewhereUntilNanos = nanoClock.getAsLong();
  }

  /** Stops generation for {@code time} from now, since another instance uses the device. */
  void busyElsewhere(Duration time) {
    elsewhereUntilNanos = nanoClock.getAsLong() + time.toNanos();
  }

  /** Whether a key may be generated now. */
  boolean isIdle() {
    return requests.isIdle() && nanoClock.getAsLong() - elsewhereUntilNanos >= 0;
  }

  /**
   * Waits until a key may be generated.
   *
   * @param maxWait more than zero
   * @return whether it may
   */
  boolean awaitIdle(Duration maxWait) throws InterruptedException {
    return requests.awaitIdle(maxWait, () -> elsewhereUntilNanos);
  }

  /** Returns the requests that may need the device. */
  SigningActivity requests() {
    return requests;
  }
}
