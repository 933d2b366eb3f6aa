package org.keywell.service.sign;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.keypool.KeyDestroyer;
import org.keywell.keypool.LoadRequest;
import org.keywell.keypool.LoadedKey;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.Shelves;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.store.StoredKey;
import org.keywell.service.ca.CaWatch;
import org.keywell.service.settings.EmptyPoolPolicy;
import org.keywell.service.settings.PoolMode;

/** A device, a pool that a test fills by hand, and a CA; all with faults to switch. */
final class DeviceParts {

  static final KeySpec SPEC = KeySpec.EC_P256;
  static final int MAX_ORPHANS = 2;

  /** Row ids are on record for ever, so they differ in all tests that share a database. */
  private static final AtomicLong lastId = new AtomicLong();

  final FakeHsm hsm = new FakeHsm();
  final KeyDestroyer orphans = new KeyDestroyer(hsm, MAX_ORPHANS);
  final Shelves pool =
      new Shelves(hsm, orphans, List.of(new PoolLimits(SPEC, 0, 1000, 1000, 1000)));
  final FakeCertificateAuthority ca = new FakeCertificateAuthority();
  final CaWatch caWatch = new CaWatch(ca, System::nanoTime);
  final SigningGate gate = new SigningGate(hsm::failsToSign, caWatch::isDown, caWatch::isValid);

  SigningCycle cycle(PoolMode mode, EmptyPoolPolicy whenEmpty) {
    KeySource keys = new KeySource(hsm, pool, orphans, mode, whenEmpty);
    return new SigningCycle(keys, orphans, caWatch, gate);
  }

  /** Loads a key, as the loader does. */
  StoredKey load() {
    return load(wrapped());
  }

  StoredKey load(WrappedKey wrapped) {
    StoredKey stored = new StoredKey(lastId.incrementAndGet(), wrapped);
    pool.add(new LoadedKey(stored, hsm.unwrap(wrapped)));
    return stored;
  }

  /** A key that is not live any more. */
  WrappedKey wrapped() {
    LiveKeyPair pair = hsm.generateExtractable(SPEC);
    WrappedKey wrapped = hsm.wrap(pair);
    hsm.destroy(pair.privateKey());
    return wrapped;
  }

  /** From now on nobody waits for a load. */
  void storeIsDry() throws InterruptedException {
    LoadRequest need = pool.awaitNeed(Duration.ZERO).orElseThrow();
    pool.finish(need, LoadRequest.Outcome.STORE_DRY);
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
