package org.keywell.keypool;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;

/**
 * One HSM and all that belongs to it alone: the keys that are loaded into it, those that it did not
 * destroy, and whether it is idle. A handle means something here only.
 *
 * <p>Thread-safe.
 */
final class Device {

  private final Hsm hsm;
  private final KeyDestroyer destroyer;
  private final Shelves shelves;
  private final SigningActivity activity;
  private final PoolListener listener;

  Device(Hsm hsm, PoolConfig config, PoolListener listener, LongSupplier nanoClock) {
    this.hsm = hsm;
    this.destroyer = new KeyDestroyer(hsm, config.maxOrphans(), listener);
    this.shelves = new Shelves(config.limits(), listener);
    this.activity = new SigningActivity(config.idleAfter(), nanoClock);
    this.listener = listener;
  }

  Hsm hsm() {
    return hsm;
  }

  KeyDestroyer destroyer() {
    return destroyer;
  }

  Shelves shelves() {
    return shelves;
  }

  SigningActivity activity() {
    return activity;
  }

  /** See {@link KeyPools#lease}. */
  Optional<KeyLease> lease(KeySpec spec, Duration maxWait) throws InterruptedException {
    LoadedKey key = shelves.lease(spec, maxWait);
    return key == null ? Optional.empty() : Optional.of(KeyLease.ofLoaded(this, key));
  }

  /** See {@link KeyPools#leaseUnlessStalled}. */
  Optional<KeyLease> lease(KeySpec spec, Duration maxWait, BooleanSupplier inVain)
      throws InterruptedException {
    LoadedKey key = shelves.lease(spec, maxWait, inVain);
    return key == null ? Optional.empty() : Optional.of(KeyLease.ofLoaded(this, key));
  }

  /** See {@link KeyPools#generate}. */
  KeyLease generate(KeySpec spec) {
    LiveKeyPair pair = hsm.generate(spec);
    listener.generatedOnTheFly(spec);
    return KeyLease.ofGenerated(this, pair);
  }
}
