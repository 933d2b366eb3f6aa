package org.keywell.keypool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureCheck;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;
import org.keywell.keypool.store.StoredKey;

/**
 * Pools on a {@link FakeHsm} and a store in memory, which no thread works at: the test makes the
 * moves that the threads would make.
 */
public final class PoolRig {

  /** The kind of key that is fastest to make. */
  public static final KeySpec EC = KeySpec.EC_P256;

  public static final Duration NOT_AT_ALL = Duration.ZERO;

  /** Longer than any test may last. */
  public static final Duration FOR_EVER = Duration.ofHours(1);

  public static final int MAX_ORPHANS = 3;

  private static final long PAUSE_NANOS = 100_000;

  private static final byte[] MESSAGE = {'k', 'e', 'y'};

  public final FakeHsm hsm;
  public final InMemoryWrappedKeyStore store;
  public final KeyCounts counts;
  public final KeyPools pools;
  final DeviceWorkers workers;
  final Device device;
  final Shelves shelves;
  final SigningActivity activity;
  final KeyDestroyer destroyer;
  final KeySupply supply;
  final KeyGenerator generator;
  final KeyLoader loader;

  public PoolRig(PoolLimits... limits) {
    this(config(FOR_EVER, limits));
  }

  public PoolRig(PoolConfig config) {
    this(config, new FakeHsm(), new InMemoryWrappedKeyStore(), null);
  }

  /** Whose {@link #counts} stay at nothing: the listener is told instead. */
  PoolRig(PoolConfig config, PoolListener listener) {
    this(config, new FakeHsm(), new InMemoryWrappedKeyStore(), listener);
  }

  private PoolRig(
      PoolConfig config,
      FakeHsm hsm,
      InMemoryWrappedKeyStore store,
      @Nullable PoolListener listener) {
    this.hsm = hsm;
    this.store = store;
    counts = new KeyCounts();
    pools =
        KeyPools.open(
            config,
            List.of(PooledHsm.sole(hsm, store)),
            listener == null ? counts : listener,
            System::nanoTime);
    workers = pools.workers().getFirst();
    device = workers.device();
    shelves = device.shelves();
    activity = device.idleness().requests();
    destroyer = device.destroyer();
    supply = workers.tier().supply();
    generator = workers.generator();
    loader = workers.loader();
  }

  /** One generating thread, which any moment without a request suffices. */
  static PoolConfig config(Duration recount, PoolLimits... limits) {
    return new PoolConfig(
        PoolConfig.Mode.POOLED, List.of(limits), 1, Duration.ZERO, MAX_ORPHANS, recount);
  }

  /** A rig with one pool of {@link #EC} keys. */
  public static PoolRig of(int loadedCapacity, int lowWater, int batchSize) {
    return new PoolRig(new PoolLimits(EC, 100, loadedCapacity, lowWater, batchSize));
  }

  /** The same store, and the device after a restart: what was live is gone. */
  PoolRig restarted() {
    return new PoolRig(pools.config(), hsm.restarted(), store, null);
  }

  /** Stores keys of the kind, made by the device. */
  public PoolRig store(KeySpec spec, int count) {
    for (int i = 0; i < count; i++) {
      LiveKeyPair pair = hsm.generateExtractable(spec);
      store.add(hsm.wrap(pair));
      hsm.destroy(pair.privateKey());
    }
    return this;
  }

  /** Stores keys and loads until there is no need. */
  public PoolRig loaded(int count) throws InterruptedException {
    store(EC, count);
    load();
    return this;
  }

  /** Loads until there is no need, a batch at a time. */
  public void load() throws InterruptedException {
    while (loader.loadNext(NOT_AT_ALL) != KeyLoader.Step.NO_NEED) {}
  }

  /** Loads this key, wherever it came from. */
  public void load(StoredKey key) {
    shelves.add(new LoadedKey(key, hsm.unwrap(key.key())));
  }

  /** From now on nobody waits for a load. */
  public void storeIsDry() throws InterruptedException {
    Optional<LoadRequest> need = shelves.awaitNeed(NOT_AT_ALL);
    while (need.isPresent()) {
      shelves.finish(need.get(), PoolListener.Load.STORE_DRY);
      need = shelves.awaitNeed(NOT_AT_ALL);
    }
  }

  /** Destroys a key; it is an orphan if the device does not. */
  public void destroy(KeyHandle key) {
    destroyer.destroy(key);
  }

  /** What the watch's thread does once a second. */
  public void retryOrphans() {
    destroyer.retry();
  }

  /** The key with one bit of its ciphertext changed. */
  public static WrappedKey damaged(WrappedKey key) {
    byte[] blob = key.wrappedPrivateKey().clone();
    blob[blob.length / 2] ^= 1;
    return new WrappedKey(
        key.spec(), key.wrappingKeyId(), key.wrapMechanism(), key.publicKey(), blob);
  }

  /** Leases a key as soon as one is loaded; empty once none may come. */
  public static Optional<KeyLease> await(KeyPools pools, KeySpec spec) throws InterruptedException {
    while (true) {
      Optional<KeyLease> lease = pools.lease(spec);
      if (lease.isPresent() || pools.outlook(spec) == KeyOutlook.NONE) {
        return lease;
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Leases a key that is there. */
  public KeyLease lease() {
    return pools.lease(EC).orElseThrow();
  }

  /** Ids of leased keys, in the order of leasing, until the pool is empty. */
  public List<Long> leaseAll() {
    List<Long> ids = new ArrayList<>();
    Optional<KeyLease> lease = pools.lease(EC);
    while (lease.isPresent()) {
      ids.add(idOf(lease.get()));
      lease = pools.lease(EC);
    }
    return ids;
  }

  public static long idOf(KeyLease lease) {
    return lease.stored().orElseThrow().id();
  }

  /** Has the key show that it is there. */
  public static void prove(KeyLease lease) {
    byte[] digest = SignatureCheck.digest(DigestAlgorithm.SHA_256, MESSAGE);
    var _ = lease.prove(SignatureScheme.ECDSA, DigestAlgorithm.SHA_256, digest);
  }

  /** Signs; returns whether the signature verifies with the lease's public key. */
  public static boolean signs(KeyLease lease, KeySpec spec) {
    SignatureScheme scheme =
        spec.algorithm() == KeySpec.Algorithm.EC
            ? SignatureScheme.ECDSA
            : SignatureScheme.RSASSA_PKCS1_V1_5;
    byte[] digest = SignatureCheck.digest(DigestAlgorithm.SHA_256, MESSAGE);
    byte[] signature = lease.sign(scheme, DigestAlgorithm.SHA_256, List.of(digest)).getFirst();
    return SignatureCheck.verifies(
        spec, lease.publicKey(), scheme, DigestAlgorithm.SHA_256, MESSAGE, signature);
  }
}
