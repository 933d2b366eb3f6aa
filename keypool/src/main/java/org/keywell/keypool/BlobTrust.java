package org.keywell.keypool;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.log.LogPace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether what a device wraps is worth storing, by what became of its keys: those that were proved
 * before they were stored, and those that were loaded. Each discard counts one, each key that was
 * good takes a tenth of one off; at {@value #MAX_DISCARDS} nothing is generated for the store,
 * until {@value #GOOD_IN_A_ROW} throw-away keys in a row are good.
 *
 * <p>Thread-safe.
 */
final class BlobTrust {

  static final int MAX_DISCARDS = 5;
  static final int GOOD_IN_A_ROW = 5;

  /** Of so many keys that are stored, one more is made that signs and is thrown away. */
  static final int TRIAL_EVERY = 100;

  private static final Logger log = LoggerFactory.getLogger(BlobTrust.class);
  private static final int TENTHS = 10;

  private final String device;
  private final LogPace pace;

  /** Keys of each kind that may be stored until the next trial. */
  private final Map<KeySpec, Integer> untilTrial = new EnumMap<>(KeySpec.class);

  private int discardedTenths;
  private int goodInARow;
  private @Nullable KeySpec suspected;

  /**
   * @param device its name
   */
  BlobTrust(String device, LongSupplier nanoClock) {
    this.device = device;
    this.pace = new LogPace(nanoClock);
  }

  /** The kind whose throw-away keys have to be good before any key is stored; empty if none. */
  synchronized Optional<KeySpec> suspected() {
    return Optional.ofNullable(suspected);
  }

  /** Whether a throw-away key of this kind is to sign before another one is stored. */
  synchronized boolean trialIsDue(KeySpec spec) {
    return untilTrial.getOrDefault(spec, 0) <= 0;
  }

  /** So many keys were made, of which one was unwrapped. */
  synchronized void made(KeySpec spec, int keys) {
    untilTrial.merge(spec, -keys, Integer::sum);
    good();
  }

  /** A stored key was loaded. */
  synchronized void good() {
    discardedTenths = Math.max(0, discardedTenths - 1);
  }

  /** A throw-away key unwrapped, signed, and its signature verified. */
  synchronized void trialPassed(KeySpec spec) {
    untilTrial.put(spec, TRIAL_EVERY);
    if (suspected == null) {
      good();
    } else if (++goodInARow == GOOD_IN_A_ROW) {
      suspected = null;
      discardedTenths = 0;
      log.info(
          "HSM {}: the generator goes on; {} throw-away keys in a row unwrapped and signed",
          device,
          GOOD_IN_A_ROW);
    }
  }

  /** Of what the device had wrapped, something did not unwrap, or did not sign. */
  synchronized void discarded(KeySpec spec) {
    goodInARow = 0;
    if (suspected == null) {
      discardedTenths += TENTHS;
      if (discardedTenths >= MAX_DISCARDS * TENTHS) {
        suspected = spec;
      }
    }
    long keys = pace.due(1);
    if (keys > 0) {
      log.error(
          "HSM {}: {} keys that it had wrapped did not unwrap or did not sign, last of {}; {}",
          device,
          keys,
          spec,
          suspected == null
              ? "they are discarded"
              : "its generator has stopped, and tries with throw-away keys");
    }
  }
}
