package org.keywell.keypool;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.keywell.keypool.PoolListener.Stage;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Makes one key for the pool at a time: generate, wrap, destroy the live copy, store. Works only
 * while the device is idle and a pool has room, so one generation is the longest that a request can
 * find the device held by it.
 *
 * <p>Thread-safe: several threads may share one generator.
 */
final class KeyGenerator {

  /** What a call of {@link #generateNext} came to. */
  enum Step {
    GENERATED,
    /** A request is in progress, or was a moment ago. */
    DEVICE_BUSY,
    /** Every pool is full. */
    POOLS_FULL
  }

  private final Hsm hsm;
  private final KeyDestroyer destroyer;
  private final Idleness idleness;
  private final StoredTier tier;
  private final KeySupply supply;
  private final PoolListener listener;

  /**
   * @param listener is told of each key after it is durable, on the generating thread
   */
  KeyGenerator(Device device, StoredTier tier, PoolListener listener) {
    this.hsm = device.hsm();
    this.destroyer = device.destroyer();
    this.idleness = device.idleness();
    this.tier = tier;
    this.supply = tier.supply();
    this.listener = listener;
  }

  /**
   * Generates a key if there is need and the device is idle.
   *
   * @param maxWait how long to wait for the device to be idle, more than zero
   * @throws HsmException if the device fails, or so many keys are undestroyed that no more may be
   *     made
   * @throws org.keywell.keypool.store.StoreException if the store fails; the key is then lost
   */
  Step generateNext(Duration maxWait) throws InterruptedException {
    return generateNext(maxWait, () -> {});
  }

  /**
   * As {@link #generateNext(Duration)}.
   *
   * @param onBegin is told when a key is begun, on this thread
   */
  Step generateNext(Duration maxWait, Runnable onBegin) throws InterruptedException {
    if (!idleness.awaitIdle(maxWait)) {
      return Step.DEVICE_BUSY;
    }
    // A device that destroys nothing must not be filled with the live copies of generated keys.
    destroyer.requireBelowLimit();
    Optional<KeySpec> needed = supply.reserve();
    if (needed.isEmpty()) {
      return Step.POOLS_FULL;
    }
    KeySpec spec = needed.get();
    // Counting the store took its time, and signing goes first.
    if (!idleness.isIdle()) {
      supply.cancelled(spec);
      return Step.DEVICE_BUSY;
    }
    boolean stored = false;
    onBegin.run();
    long began = System.nanoTime();
    try {
      WrappedKey key = generateWrapped(spec);
      timed(spec, Stage.STORE, () -> tier.store().addReserved(key));
      stored = true;
    } finally {
      if (stored) {
        supply.stored(spec, System.nanoTime() - began);
        tier.refilled(spec);
        listener.stored(spec);
      } else {
        supply.failed(spec);
        listener.generationFailed(spec);
      }
    }
    return Step.GENERATED;
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
