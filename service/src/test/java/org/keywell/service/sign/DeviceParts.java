package org.keywell.service.sign;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.keywell.ca.CertificateAuthority;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolConfig;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.PoolRig;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.store.StoredKey;
import org.keywell.service.ca.CaWatch;
import org.keywell.service.ca.IssuingCas;
import org.keywell.service.settings.EmptyPoolPolicy;
import org.keywell.service.settings.PoolMode;

/** A device, a pool that a test fills by hand, and a CA; all with faults to switch. */
final class DeviceParts {

  static final KeySpec SPEC = KeySpec.EC_P256;
  static final KeySpec OTHER_SPEC = KeySpec.EC_P384;
  static final int MAX_ORPHANS = 2;

  /** Row ids are on record for ever, so they differ in all tests that share a database. */
  private static final AtomicLong lastId = new AtomicLong();

  private final PoolRig rig =
      new PoolRig(
          new PoolConfig(
              PoolConfig.Mode.POOLED,
              List.of(
                  new PoolLimits(SPEC, 0, 1000, 1000, 1000),
                  new PoolLimits(OTHER_SPEC, 0, 1000, 1000, 1000)),
              1,
              Duration.ZERO,
              MAX_ORPHANS));
  final FakeHsm hsm = rig.hsm;
  final KeyPools pools = rig.pools;
  final FakeCertificateAuthority ca = new FakeCertificateAuthority();
  final IssuingCas cas = cas(ca);
  final SigningGate gate =
      new SigningGate(pools::failsToSign, cas::isDown, cas::isValid, _ -> false);

  /**
   * What the cycles and handlers told of keys that were not destroyed when they should have been.
   */
  final List<Late> late = new CopyOnWriteArrayList<>();

  record Late(UUID requestId, Destruction destruction) {}

  SigningCycle cycle(PoolMode mode, EmptyPoolPolicy whenEmpty) {
    KeySource keys = new KeySource(pools, mode, whenEmpty);
    return new SigningCycle(keys, pools, cas, gate, this::tellLate);
  }

  /** The CA of the one device. */
  static IssuingCas cas(CertificateAuthority ca) {
    return new IssuingCas(List.of(new CaWatch("hsm", ca, () -> false, System::nanoTime)));
  }

  void tellLate(UUID requestId, Destruction destruction) {
    late.add(new Late(requestId, destruction));
  }

  /** Loads a key, as the loader does. */
  StoredKey load() {
    return load(wrapped());
  }

  StoredKey load(WrappedKey wrapped) {
    StoredKey stored = new StoredKey(lastId.incrementAndGet(), wrapped);
    rig.load(stored);
    return stored;
  }

  /** A key that is not live any more. */
  WrappedKey wrapped() {
    return wrapped(SPEC);
  }

  WrappedKey wrapped(KeySpec spec) {
    LiveKeyPair pair = hsm.generateExtractable(spec);
    WrappedKey wrapped = hsm.wrap(pair);
    hsm.destroy(pair.privateKey());
    return wrapped;
  }

  /** From now on nobody waits for a load of any kind. */
  void storeIsDry() throws InterruptedException {
    rig.storeIsDry();
  }

  /** How many keys are loaded and not leased. */
  int loaded() {
    return pools.depth(SPEC).loaded();
  }

  /** Makes a key and destroys it; it is an orphan if the device does not. */
  void makeAndDestroy() {
    rig.destroy(hsm.generate(SPEC).privateKey());
  }

  /** What the watch's thread does once a second. */
  void retryOrphans() {
    rig.retryOrphans();
  }

  static boolean verifies(byte[] publicKey, byte[] digest, byte[] signature)
      throws GeneralSecurityException {
    PublicKey key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(publicKey));
    Signature verifier = Signature.getInstance("NONEwithECDSA");
    verifier.initVerify(key);
    verifier.update(digest);
    return verifier.verify(signature);
  }
}
