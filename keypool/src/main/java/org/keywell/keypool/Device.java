package org.keywell.keypool;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
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
 * One HSM and everything specific to it: the keys loaded into it, the keys that it did not destroy,
 * and whether it is idle. A key handle is valid only in its own device.
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
  private final Set<String> wrappingKeyIds = new ConcurrentSkipListSet<>();
  private final AtomicInteger inUse = new AtomicInteger();
  private final AtomicInteger held = new AtomicInteger();
  private final AtomicLong wrongSignatures = new AtomicLong();

  /**
   * @param lock shared by all devices
   * @param idleness tells when keys may be generated in it
   */
  Device(
      PooledHsm pooled,
      PoolConfig config,
      ShelfLock lock,
      Idleness idleness,
      PoolListener listener,
      LongSupplier nanoClock) {
    this.pooled = pooled;
    this.destroyer = new KeyDestroyer(pooled.hsm(), config.maxOrphans(), listener);
    this.shelves = new Shelves(config.limits(), pooled.loaders(), lock, listener);
    this.idleness = idleness;
    this.listener = listener;
    this.blobProof = new BlobProof(pooled.hsm(), destroyer);
    this.blobTrust = new BlobTrust(pooled.name(), nanoClock);
    this.wrappingKeyIds.addAll(pooled.hsm().wrappingKeyIds());
  }

  /** Returns its name, unique in these pools. */
  public String name() {
    return pooled.name();
  }

  public DeviceRole role() {
    return pooled.role();
  }

  /** Returns its share of the requests relative to the other devices, at least 1. */
  public int weight() {
    return pooled.weight();
  }

  /** Returns how many threads may unwrap keys into it, at least 1. */
  int loaders() {
    return pooled.loaders();
  }

  /** Identifies the token across all instances that use it; see {@link Hsm#tokenId}. */
  public String tokenId() {
    return hsm().tokenId();
  }

  /** Identifies the wrapping key of new keys. May change. */
  public String wrappingKeyId() {
    return hsm().wrappingKeyId();
  }

  /** Identifies the wrapping keys under which its keys are or were, since it was opened. */
  public List<String> wrappingKeyIds() {
    wrappingKeyIds.addAll(hsm().wrappingKeyIds());
    return List.copyOf(wrappingKeyIds);
  }

  /** Returns its health, judged by the results of its calls. Does no I/O. */
  public HsmHealth health() {
    return hsm().health();
  }

  /** Returns how many keys are live because the device did not destroy them. */
  public int orphans() {
    return destroyer.count();
  }

  /** Returns how many keys of one kind are loaded, leased and on their way. Does no I/O. */
  public PoolDepth depth(KeySpec spec) {
    return shelves.depth(spec, loading.keys(spec));
  }

  /**
   * Counts the private keys that are live in the device. Slow on some devices: never call it on a
   * request's path.
   *
   * @throws HsmException if the device fails
   */
  public long liveKeys() {
    return hsm().countLiveKeys();
  }

  /**
   * Counts the private and secret keys that outlive sessions in the device and are not among the
   * known ones. Slow on some devices, like {@link #liveKeys}.
   *
   * @param known labels or ids of the keys that belong there
   * @throws HsmException if the device fails
   */
  public long strayTokenKeys(Set<String> known) {
    return hsm().countStrayTokenKeys(known);
  }

  /** Returns how long this instance has had no request that may need it; zero while it has one. */
  public Duration idleFor() {
    return idleness.requests().idleFor();
  }

  /** Stops generation for {@code time}, since another instance has requests for this device. */
  public void busyElsewhere(Duration time) {
    idleness.busyElsewhere(time);
  }

  /** Whether the last unwrap or the last generation found no room. Does no I/O. */
  public boolean isFull() {
    return hsm().isFullToUnwrap() || hsm().isFullToGenerate();
  }

  /** Whether the device's state lets a request get one of its keys. Does no I/O. */
  boolean takesRequests() {
    return !hsm().failsToSign() && !destroyer.atLimit();
  }

  /**
   * Whether so many of its wrapped keys were bad that it generates none for the store until
   * throw-away keys prove it good. Does no I/O.
   */
  public boolean discardsItsKeys() {
    return blobTrust.suspected().isPresent();
  }

  /** Returns how many leases its keys have, loaded ones and others. */
  int inUse() {
    return inUse.get();
  }

  /** Returns how many of those are not held, so at work or about to be. */
  int atWork() {
    return inUse.get() - held.get();
  }

  /** Returns how many signatures made with its keys for requests did not verify. */
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

  /** Returns the store for its wrapping key. */
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

  BlobProof blobProof() {
    return blobProof;
  }

  BlobTrust blobTrust() {
    return blobTrust;
  }

  LoadProgress loading() {
    return loading;
  }
}
