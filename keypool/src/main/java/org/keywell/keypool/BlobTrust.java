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
 * Decides whether a device's wrapped keys are worth storing, by the fate of its keys: those tested
 * before they were stored, and those loaded. Each discard counts one, each good key takes off a
 * tenth. At {@value #MAX_DISCARDS}, nothing is generated for the store until {@value
 * #GOOD_IN_A_ROW} throw-away keys in a row are good.
 *
 * <p>Thread-safe.
 */
final class BlobTrust {

  static final int MAX_DISCARDS = 5;
  static final int GOOD_IN_A_ROW = 5;

  /** After this many keys, a throw-away key is generated, signs and is discarded. */
  static final int TRIAL_EVERY = 100;

  private static final Logger log = LoggerFactory.getLogger(BlobTrust.class);
  private static final int TENTHS = 10;

  private final String device;
  private final LogPace pace;

  /** Keys of each kind that may be stored before the next trial. */
  private final Map<KeySpec, Integer> untilTrial = new EnumMap<>(KeySpec.class);

  private int discardedTenths;
  private int goodInARow;
  private @Nullable KeySpec suspected;

  /**
   * @param device the device's name
   */
  BlobTrust(String device, LongSupplier nanoClock) {
    this.device = device;
    this.pace = new LogPace(nanoClock);
  }

  /** Returns the kind whose throw-away keys must be good before any key is stored, if any. */
  synchronized Optional<KeySpec> suspected() {
    return Optional.ofNullable(suspected);
  }

  /** Whether a throw-away key of this kind must sign before another key is stored. */
  synchronized boolean trialIsDue(KeySpec spec) {
    return untilTrial.getOrDefault(spec, 0) <= 0;
  }

  /** Notes {@code keys} generated keys, one of which was unwrapped. */
  synchronized void made(KeySpec spec, int keys) {
    untilTrial.merge(spec, -keys, Integer::sum);
    good();
  }

  /** Notes that a stored key was loaded. */
  synchronized void good() {
    discardedTenths = Math.max(0, discardedTenths - 1);
  }

  /** Notes a throw-away key that unwrapped and signed correctly. */
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

  /** Notes a key wrapped by the device that did not unwrap or did not sign. */
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
