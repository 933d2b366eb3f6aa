package org.keywell.signing.ca;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.keywell.keypool.hsm.pkcs11.ModuleUser;
import org.keywell.keypool.worker.Backoff;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What uses a key of a token that may be reopened: then this is reopened, too. So is one that
 * fails, since its key may have another handle by now. Thread-safe.
 */
final class Renewable<T> implements ModuleUser {

  /** Each renewal reads the token. */
  private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(10);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(Renewable.class);

  /** Makes calls of the module, monitored by its device; empty if a call was not made. */
  @FunctionalInterface
  interface Use {
    <R> Optional<R> call(Duration maxWait, Supplier<R> call);
  }

  private final String name;
  private final LongFunction<T> opener;
  private final LongSupplier slotId;
  private final BooleanSupplier deviceIsOpen;
  private final Use use;
  private final LongSupplier nanoClock;
  private volatile T last;
  private volatile boolean retired;
  private final Backoff pauses = new Backoff(FIRST_PAUSE, BETWEEN_RENEWALS);
  private long renewedNanos;

  /** Until the next renewal, counted from the last attempt. */
  private Duration pause = Duration.ZERO;

  /**
   * Opens it.
   *
   * @param name for operators, with the device
   * @param opener opens it by the token's slot
   * @param slotId the current slot
   * @param deviceIsOpen asks the token whether the process is logged in: otherwise the key cannot
   *     be found, and its device has to be reopened first
   * @param use makes the calls of the module
   */
  Renewable(
      String name,
      LongFunction<T> opener,
      LongSupplier slotId,
      BooleanSupplier deviceIsOpen,
      Use use,
      LongSupplier nanoClock) {
    this.name = name;
    this.opener = opener;
    this.slotId = slotId;
    this.deviceIsOpen = deviceIsOpen;
    this.use = use;
    this.nanoClock = nanoClock;
    this.last = opener.apply(slotId.getAsLong());
    // The first renewal may come at once: nothing is left behind yet.
    this.renewedNanos = nanoClock.getAsLong();
  }

  /** Returns what was opened last; what it knows outlives its key. */
  T last() {
    return last;
  }

  /** Returns what was opened last; empty until it is reopened: its session numbers are others'. */
  Optional<T> usable() {
    return retired ? Optional.empty() : Optional.of(last);
  }

  /** Makes a call that uses the key; empty if the device does not take it within this time. */
  <R> Optional<R> call(Duration maxWait, Supplier<R> call) {
    return use.call(maxWait, call);
  }

  /**
   * Reopens what has failed; makes others that failed meanwhile wait.
   *
   * @return whether that was due
   */
  synchronized boolean renewIfDue(String failure) {
    boolean due =
        nanoClock.getAsLong() - renewedNanos >= pause.toNanos() && deviceIsOpen.getAsBoolean();
    if (due) {
      log.warn("{} is reopened, since its key failed: {}", name, failure);
      open(slotId.getAsLong());
    }
    return due;
  }

  /** Replaces what was opened by what follows from it, unless it waits to be reopened. */
  synchronized T replace(UnaryOperator<T> following) {
    last = retired ? last : following.apply(last);
    return last;
  }

  @Override
  public void retire() {
    retired = true;
  }

  @Override
  public void renew(long newSlotId) {
    open(newSlotId);
  }

  private synchronized void open(long inSlot) {
    renewedNanos = nanoClock.getAsLong();
    try {
      last = opener.apply(inSlot);
      retired = false;
      pauses.succeeded();
      pause = BETWEEN_RENEWALS;
      log.info("reopened {}", name);
    } catch (RuntimeException e) {
      pause = pauses.afterFailure();
      log.error("{} cannot be reopened, and is retried: {}", name, e.toString());
    }
  }
}
