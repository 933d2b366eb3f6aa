package org.keywell.keypool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.keywell.keypool.PoolListener.Stage;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Generates keys for the pool, one at a time: generate, wrap, destroy the live copy, store. Works
 * only while the device is idle and a pool has room, so a request finds the device busy for at most
 * one generation. If a kind is generated faster than a commit takes, several keys are stored
 * together.
 *
 * <p>Of the keys stored together, the last one is unwrapped first, unless the orphan limit is
 * reached. Before the first key of a kind, and after each {@value BlobTrust#TRIAL_EVERY}, a
 * throw-away key also signs. A device whose keys fail too often generates none for the store.
 *
 * <p>Thread-safe: several threads may share one generator.
 */
final class KeyGenerator {

  /** The result of a call of {@link #generateNext}. */
  enum Step {
    GENERATED,
    /** A request is in progress, or was a moment ago. */
    DEVICE_BUSY,
    /** Every pool is full. */
    POOLS_FULL,
    /** What was generated is discarded: the device does not unwrap what it wrapped. */
    DISCARDED,
    /**
     * A throw-away key was good. Nothing is generated for the store until enough of them have shown
     * that the device can be trusted again.
     */
    TRIAL_PASSED,
    /** As {@link #TRIAL_PASSED}, but the key was not good. */
    TRIAL_FAILED
  }

  private final Hsm hsm;
  private final KeyDestroyer destroyer;
  private final Idleness idleness;
  private final StoredTier tier;
  private final BlobProof proof;
  private final BlobTrust trust;
  private final KeySupply supply;
  private final PoolListener listener;

  /**
   * @param listener notified of each key after it is durable, on the generating thread
   */
  KeyGenerator(Device device, StoredTier tier, PoolListener listener) {
    this.hsm = device.hsm();
    this.destroyer = device.destroyer();
    this.idleness = device.idleness();
    this.proof = device.blobProof();
    this.trust = device.blobTrust();
    this.tier = tier;
    this.supply = tier.supply();
    this.listener = listener;
  }

  /**
   * Generates a key if one is needed and the device is idle.
   *
   * @param maxWait how long to wait for the device to be idle, more than zero
   * @throws HsmException if the device fails, or too many keys are undestroyed to generate more
   * @throws org.keywell.keypool.store.StoreException if the store fails; the key is then lost
   */
  Step generateNext(Duration maxWait) throws InterruptedException {
    return generateNext(maxWait, () -> {}, nanos -> false);
  }

  /**
   * As {@link #generateNext(Duration)}, or several keys of one kind that are stored together.
   *
   * @param onBegin runs on this thread when the first key starts
   * @param onceMore whether another may follow, so many nanoseconds after the first started; each,
   *     like the first, only while the device is idle
   */
  Step generateNext(Duration maxWait, Runnable onBegin, LongPredicate onceMore)
      throws InterruptedException {
    if (!idleness.awaitIdle(maxWait)) {
      return Step.DEVICE_BUSY;
    }
    // A device that destroys nothing must not fill up with the live copies of generated keys.
    destroyer.requireBelowLimit();
    Optional<KeySpec> suspected = trust.suspected();
    if (suspected.isPresent()) {
      return tryThrowAwayKey(suspected.get()) ? Step.TRIAL_PASSED : Step.TRIAL_FAILED;
    }
    Optional<KeySpec> needed = supply.reserve();
    if (needed.isEmpty()) {
      return Step.POOLS_FULL;
    }
    KeySpec spec = needed.get();
    // Counting the store takes time, and signing goes first.
    if (!idleness.isIdle()) {
      supply.cancelled(spec);
      return Step.DEVICE_BUSY;
    }
    onBegin.run();
    if (trust.trialIsDue(spec)) {
      Optional<Step> instead = trial(spec);
      if (instead.isPresent()) {
        return instead.get();
      }
    }
    return generate(spec, onceMore) ? Step.GENERATED : Step.DISCARDED;
  }

  /** Returns the step to take instead of the key, if any; the key's place is then free. */
  private Optional<Step> trial(KeySpec spec) {
    boolean goesOn = false;
    try {
      if (!tryThrowAwayKey(spec)) {
        return Optional.of(Step.DISCARDED);
      }
      // The trial took as long as a key, and signing goes first.
      goesOn = idleness.isIdle();
      return goesOn ? Optional.empty() : Optional.of(Step.DEVICE_BUSY);
    } finally {
      if (!goesOn) {
        supply.cancelled(spec);
      }
    }
  }

  private boolean tryThrowAwayKey(KeySpec spec) {
    boolean good = proof.throwAwayKeySigns(spec);
    if (good) {
      trust.trialPassed(spec);
    } else {
      trust.discarded(spec);
    }
    return good;
  }

  /** Returns whether the generated keys are stored. */
  private boolean generate(KeySpec spec, LongPredicate onceMore) {
    long began = System.nanoTime();
    List<WrappedKey> made = new ArrayList<>();
    boolean failed = true;
    boolean stored = false;
    try {
      do {
        made.add(generateWrapped(spec));
      } while (onceMore.test(System.nanoTime() - began)
          && idleness.isIdle()
          && !destroyer.atLimit()
          && supply.reserveAnother(spec));
      failed = false;
    } finally {
      if (failed) {
        cameToNothing(spec, 1);
      }
      // Includes the keys that were generated before one failed.
      stored = !made.isEmpty() && storeProved(spec, made, began);
    }
    return stored;
  }

  private boolean storeProved(KeySpec spec, List<WrappedKey> made, long beganNanos) {
    boolean proved = false;
    try {
      // At the limit, no key is brought into a device that does not destroy keys.
      proved = destroyer.atLimit() || proof.unwraps(made.getLast());
    } finally {
      if (!proved) {
        cameToNothing(spec, made.size());
      }
    }
    if (!proved) {
      trust.discarded(spec);
      return false;
    }
    trust.made(spec, made.size());
    store(spec, made, beganNanos);
    return true;
  }

  private void store(KeySpec spec, List<WrappedKey> made, long beganNanos) {
    int keys = made.size();
    boolean stored = false;
    try {
      long storing = System.nanoTime();
      tier.store().addReserved(made);
      long each = (System.nanoTime() - storing) / keys;
      made.forEach(_ -> listener.timed(spec, Stage.STORE, each));
      stored = true;
    } finally {
      if (stored) {
        long each = (System.nanoTime() - beganNanos) / keys;
        made.forEach(_ -> supply.stored(spec, each));
        tier.refilled(spec);
        made.forEach(_ -> listener.stored(spec));
      } else {
        cameToNothing(spec, keys);
      }
    }
  }

  private void cameToNothing(KeySpec spec, int keys) {
    for (int i = 0; i < keys; i++) {
      supply.failed(spec);
      listener.generationFailed(spec);
    }
  }

  private WrappedKey generateWrapped(KeySpec spec) {
    LiveKeyPair pair = timed(spec, Stage.GENERATE, () -> hsm.generateExtractable(spec));
    try {
      return timed(spec, Stage.WRAP, () -> hsm.wrap(pair));
    } finally {
      timed(spec, Stage.DESTROY, () -> destroyer.destroy(pair.privateKey()));
    }
  }

  private <T> T timed(KeySpec spec, Stage stage, Supplier<T> work) {
    long began = System.nanoTime();
    T result = work.get();
    listener.timed(spec, stage, System.nanoTime() - began);
    return result;
  }
}
