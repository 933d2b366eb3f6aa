package org.keywell.keypool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.SignatureCheck;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.store.InMemoryWrappedKeyStore;

/** A whole pool on a {@link FakeHsm} and a store in memory, without threads. */
public final class PoolRig {

  /** The kind of key that is fastest to make. */
  public static final KeySpec EC = KeySpec.EC_P256;

  public static final Duration NOT_AT_ALL = Duration.ZERO;

  /** Longer than any test may last. */
  public static final Duration FOR_EVER = Duration.ofHours(1);

  public static final int MAX_ORPHANS = 3;

  private static final byte[] MESSAGE = {'k', 'e', 'y'};

  public final FakeHsm hsm = new FakeHsm();
  public final InMemoryWrappedKeyStore store = new InMemoryWrappedKeyStore();
  public final KeyCounts counts = new KeyCounts();
  public final KeyDestroyer orphans = new KeyDestroyer(hsm, MAX_ORPHANS, counts);
  public final Shelves pool;
  public final KeyLoader loader;

  public PoolRig(PoolLimits... limits) {
    pool = new Shelves(hsm, orphans, List.of(limits), counts);
    loader = new KeyLoader(hsm, store, pool, orphans, counts);
  }

  /** A rig with one pool of {@link #EC} keys. */
  public static PoolRig of(int loadedCapacity, int lowWater, int batchSize) {
    return new PoolRig(new PoolLimits(EC, 100, loadedCapacity, lowWater, batchSize));
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
    while (loader.loadNext(NOT_AT_ALL) != KeyLoader.Step.NO_NEED) {
      // One batch each.
    }
    return this;
  }

  /** The key with one bit of its ciphertext changed. */
  public static WrappedKey damaged(WrappedKey key) {
    byte[] blob = key.wrappedPrivateKey().clone();
    blob[blob.length / 2] ^= 1;
    return new WrappedKey(
        key.spec(), key.wrappingKeyId(), key.wrapMechanism(), key.publicKey(), blob);
  }

  /** Leases a key that is there. */
  public KeyLease lease() throws InterruptedException {
    return pool.lease(EC, NOT_AT_ALL).orElseThrow();
  }

  /** Ids of leased keys, in the order of leasing, until the pool is empty. */
  public List<Long> leaseAll() throws InterruptedException {
    List<Long> ids = new ArrayList<>();
    Optional<KeyLease> lease = pool.lease(EC, NOT_AT_ALL);
    while (lease.isPresent()) {
      ids.add(idOf(lease.get()));
      lease = pool.lease(EC, NOT_AT_ALL);
    }
    return ids;
  }

  public static long idOf(KeyLease lease) {
    return lease.stored().orElseThrow().id();
  }

  /** Signs; returns whether the signature verifies with the lease's public key. */
  public static boolean signs(KeyLease lease, KeySpec spec) {
    SignatureScheme scheme =
        spec.algorithm() == KeySpec.Algorithm.EC
            ? SignatureScheme.ECDSA
            : SignatureScheme.RSASSA_PKCS1_V1_5;
    byte[] digest = SignatureCheck.digest(DigestAlgorithm.SHA_256, MESSAGE);
    byte[] signature = lease.sign(scheme, DigestAlgorithm.SHA_256, digest);
    return SignatureCheck.verifies(
        spec, lease.publicKey(), scheme, DigestAlgorithm.SHA_256, MESSAGE, signature);
  }
}
