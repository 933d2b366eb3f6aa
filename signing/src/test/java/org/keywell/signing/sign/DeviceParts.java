package org.keywell.signing.sign;

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
import org.keywell.settings.EmptyPoolPolicy;
import org.keywell.settings.PoolMode;
import org.keywell.signing.ca.CaWatch;
import org.keywell.signing.ca.IssuingCas;

/** A device, a pool that a test fills by hand, and a CA; all with faults to switch. */
public final class DeviceParts {

  public static final KeySpec SPEC = KeySpec.EC_P256;
  public static final KeySpec OTHER_SPEC = KeySpec.EC_P384;
  public static final int MAX_ORPHANS = 2;

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
  public final FakeHsm hsm = rig.hsm;
  public final KeyPools pools = rig.pools;
  public final FakeCertificateAuthority ca = new FakeCertificateAuthority();
  public final IssuingCas cas = cas(ca);
  public final SigningGate gate =
      new SigningGate(() -> false, pools::failsToSign, cas::isDown, cas::isValid, _ -> false);

  /**
   * What the cycles and handlers told of keys that were not destroyed when they should have been.
   */
  public final List<Late> late = new CopyOnWriteArrayList<>();

  public record Late(UUID requestId, Destruction destruction) {}

  public SigningCycle cycle(PoolMode mode, EmptyPoolPolicy whenEmpty) {
    KeySource keys = new KeySource(pools, mode, whenEmpty);
    return new SigningCycle(keys, pools, cas, gate, this::tellLate);
  }

  /** The CA of the one device. */
  public static IssuingCas cas(CertificateAuthority ca) {
    return new IssuingCas(List.of(new CaWatch("hsm", ca, () -> false, System::nanoTime)));
  }

  public void tellLate(UUID requestId, Destruction destruction) {
    late.add(new Late(requestId, destruction));
  }

  /** Loads a key, as the loader does. */
  public StoredKey load() {
    return load(wrapped());
  }

  public StoredKey load(WrappedKey wrapped) {
    StoredKey stored = new StoredKey(lastId.incrementAndGet(), wrapped);
    rig.load(stored);
    return stored;
  }

  /** A key that is not live any more. */
  public WrappedKey wrapped() {
    return wrapped(SPEC);
  }

  public WrappedKey wrapped(KeySpec spec) {
    LiveKeyPair pair = hsm.generateExtractable(spec);
    WrappedKey wrapped = hsm.wrap(pair);
    hsm.destroy(pair.privateKey());
    return wrapped;
  }

  /** From now on nobody waits for a load of any kind. */
  public void storeIsDry() throws InterruptedException {
    rig.storeIsDry();
  }

  /** How many keys are loaded and not leased. */
  public int loaded() {
    return pools.depth(SPEC).loaded();
  }

  /** Makes a key and destroys it; it is an orphan if the device does not. */
  public void makeAndDestroy() {
    rig.destroy(hsm.generate(SPEC).privateKey());
  }

  /** What the watch's thread does once a second. */
  public void retryOrphans() {
    rig.retryOrphans();
  }

  public static boolean verifies(byte[] publicKey, byte[] digest, byte[] signature)
      throws GeneralSecurityException {
    PublicKey key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(publicKey));
    Signature verifier = Signature.getInstance("NONEwithECDSA");
    verifier.initVerify(key);
    verifier.update(digest);
    return verifier.verify(signature);
  }
}
