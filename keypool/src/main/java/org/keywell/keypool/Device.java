package org.keywell.keypool;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * One HSM and all that belongs to it alone: the keys that are loaded into it, those that it did not
 * destroy, and whether it is idle. A handle means something here only.
 *
 * <p>Thread-safe.
 */
public final class Device {

  private final PooledHsm pooled;
  private final KeyDestroyer destroyer;
  private final Shelves shelves;
  private final Idleness idleness;
  private final PoolListener listener;
  private final BlobProof blobProof;
  private final BlobTrust blobTrust;
  private final LoadProgress loading = new LoadProgress();
  private final AtomicInteger inUse = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicLong wrongSignatures = new AtomicLong();

  /**
   * @param lock shared by all devices
   * @param requests those that may need it
   */
  Device(
      PooledHsm pooled,
      PoolConfig config,
      ShelfLock lock,
      SigningActivity requests,
      PoolListener listener,
      LongSupplier nanoClock) {
    this.pooled = pooled;
    this.destroyer = new KeyDestroyer(pooled.hsm(), config.maxOrphans(), listener);
    this.shelves = new Shelves(config.limits(), pooled.loaders(), lock, listener);
    this.idleness = new Idleness(requests, nanoClock);
    this.listener = listener;
    this.blobProof = new BlobProof(pooled.hsm(), destroyer);
    this.blobTrust = new BlobTrust(pooled.name(), nanoClock);
  }

  /** Unique among the devices of these pools. */
  public String name() {
    return pooled.name();
  }

  public DeviceRole role() {
    return pooled.role();
  }

  /** Its share of the requests, compared with those of the others, at least 1. */
  public int weight() {
    return pooled.weight();
  }

  /** How many threads unwrap keys into it if need be, at least 1. */
  int loaders() {
    return pooled.loaders();
  }

  /** Names the token as the same for all instances that use it; see {@link Hsm#tokenId}. */
  public String tokenId() {
    return hsm().tokenId();
  }

  /** Names the wrapping key; blobs under others it cannot open. */
  public String wrappingKeyId() {
    return hsm().wrappingKeyId();
  }

  /** How the device is, by what its calls returned. Asks nobody. */
  public HsmHealth health() {
    return hsm().health();
  }

  /** How many keys are live because the device did not destroy them. */
  public int orphans() {
    return destroyer.count();
  }

  /** How many keys of one kind are loaded, leased and on their way. Asks nobody. */
  public PoolDepth depth(KeySpec spec) {
    return shelves.depth(spec, loading.keys(spec));
  }

  /**
   * Counts the private keys that are live in the device. Slow on some devices: never on a request's
   * way.
   *
   * @throws HsmException if the device fails
   */
  public long liveKeys() {
    return hsm().countLiveKeys();
  }

  /**
   * Counts the private keys that the device keeps beyond sessions and that are none of these. Slow
   * on some devices, as {@link #liveKeys}.
   *
   * @param known labels or ids of those that belong there
   * @throws HsmException if the device fails
   */
  public long strayTokenKeys(Set<String> known) {
    return hsm().countStrayTokenKeys(known);
  }

  /** Since when no request of this instance is at hand that may need it; zero while one is. */
  public Duration idleFor() {
    return idleness.requests().idleFor();
  }

  /** Another instance has requests for this device: no key is begun in it for so long. */
  public void busyElsewhere(Duration time) {
    idleness.busyElsewhere(time);
  }

  /** Whether the last key that was to be brought into it found no room. Asks nobody. */
  public boolean isFull() {
    return hsm().isFullToUnwrap() || hsm().isFullToGenerate();
  }

  /** Whether a request may get a key of this device, as far as the device goes. Asks nobody. */
  boolean takesRequests() {
    return !hsm().failsToSign() && !destroyer.atLimit();
  }

  /**
   * Whether so much of what it had wrapped did not unwrap that nothing is generated in it for the
   * store, until it proves itself with throw-away keys. Asks nobody.
   */
  public boolean discardsItsKeys() {
    return blobTrust.suspected().isPresent();
  }

  /** How many leases there are of its keys, loaded ones and others. */
  int inUse() {
    return inUse.get();
  }

  /** How many of those are not held: they are at work, or about to be. */
  int atWork() {
    return inUse.get() - held.get();
  }

  /** How many signatures of its keys, made for requests, turned out not to verify. */
  public long wrongSignatures() {
    return wrongSignatures.get();
  }

  void signed(boolean verifies) {
    if (!verifies) {
      wrongSignatures.incrementAndGet();
    }
    hsm().signed(verifies);
  }

  void leaseBegan() {
    inUse.incrementAndGet();
  }

  void leaseHeld() {
    held.incrementAndGet();
  }

  void leaseEnded(boolean wasHeld) {
    inUse.decrementAndGet();
    if (wasHeld) {
      held.decrementAndGet();
    }
  }

  /** See {@link KeyPools#generate}. */
  KeyLease generate(KeySpec spec) {
    LiveKeyPair pair = hsm().generate(spec);
    listener.generatedOnTheFly(spec);
    return KeyLease.ofGenerated(this, pair);
  }

  /** Has its wrapping key. */
  WrappedKeyStore store() {
    return pooled.store();
  }

  Hsm hsm() {
    return pooled.hsm();
  }

  KeyDestroyer destroyer() {
    return destroyer;
  }

  Shelves shelves() {
    return shelves;
  }

  Idleness idleness() {
    return idleness;
  }

  /** Shows that it unwraps what it wraps. */
  BlobProof blobProof() {
    return blobProof;
  }

  /** Whether what it wraps is worth storing. */
  BlobTrust blobTrust() {
    return blobTrust;
  }

  /** The keys on their way into it. */
  LoadProgress loading() {
    return loading;
  }
}
