package org.keywell.keypool;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether keys may be made in a device: neither do requests of this instance go before, nor does
 * another instance use it, as far as that is known. Generators ask before each key (thesis section
 * 3.2). Thread-safe.
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

  /** Another instance uses the device: no key is to be begun for so long from now on. */
  void busyElsewhere(Duration time) {
    elsewhereUntilNanos = nanoClock.getAsLong() + time.toNanos();
  }

  /** Whether a key may be made at this moment. */
  boolean isIdle() {
    return requests.isIdle() && nanoClock.getAsLong() - elsewhereUntilNanos >= 0;
  }

  /**
   * Waits until a key may be made.
   *
   * @param maxWait more than zero
   * @return whether it may
   */
  boolean awaitIdle(Duration maxWait) throws InterruptedException {
    return requests.awaitIdle(maxWait, () -> elsewhereUntilNanos);
  }

  /** The requests that may need the device. */
  SigningActivity requests() {
    return requests;
  }
}
