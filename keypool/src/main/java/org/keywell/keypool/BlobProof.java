package org.keywell.keypool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.ProofSignature;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Shows that a device takes back what it has wrapped. A wrap that goes wrong is returned as good,
 * and nobody would notice before the key is to be loaded; then again devices fail with codes that
 * name the key, and a store full of good keys must not be thrown away for that. Thread-safe.
 */
final class BlobProof {

  private final Hsm hsm;
  private final KeyDestroyer destroyer;

  /** Throw-away keys that unwrapped before, so that a further proof is one more unwrap. */
  private final Map<KeySpec, WrappedKey> known = new ConcurrentHashMap<>();

  BlobProof(Hsm hsm, KeyDestroyer destroyer) {
    this.hsm = hsm;
    this.destroyer = destroyer;
  }

  /**
   * Unwraps a throw-away key; if none of this kind is known to be good, makes one before that.
   *
   * @throws HsmException if the device does not do that
   */
  void unwrapsAtAll(KeySpec spec) {
    WrappedKey key = known.get(spec);
    WrappedKey tried = key == null ? newKey(spec) : key;
    destroyer.destroy(hsm.unwrap(tried));
    known.put(spec, tried);
  }

  private WrappedKey newKey(KeySpec spec) {
    LiveKeyPair pair = hsm.generateExtractable(spec);
    try {
      return hsm.wrap(pair);
    } finally {
      destroyer.destroy(pair.privateKey());
    }
  }

  /**
   * Whether the device unwraps the key. It signs nothing, so it may be stored.
   *
   * @throws HsmException if what the device says concerns the device alone
   */
  boolean unwraps(WrappedKey key) {
    try {
      destroyer.destroy(hsm.unwrap(key));
      return true;
    } catch (HsmException e) {
      return refusal(e);
    }
  }

  /**
   * Whether a throw-away key of this kind unwraps, signs, and the signature verifies.
   *
   * @throws HsmException if the device fails
   */
  boolean throwAwayKeySigns(KeySpec spec) {
    WrappedKey key = newKey(spec);
    destroyer.requireBelowLimit();
    KeyHandle handle;
    try {
      handle = hsm.unwrap(key);
    } catch (HsmException e) {
      return refusal(e);
    }
    try {
      byte[] signature =
          hsm.sign(
              handle, ProofSignature.scheme(spec), ProofSignature.DIGEST, ProofSignature.digest());
      boolean verifies = ProofSignature.verifies(spec, key.publicKey(), signature);
      if (verifies) {
        known.put(spec, key);
      }
      return verifies;
    } finally {
      destroyer.destroy(handle);
    }
  }

  /** Brands answer to a damaged blob with codes of their own as well, which count as failed. */
  private static boolean refusal(HsmException e) {
    if (e.concernsDevice() && e.reason() != Reason.FAILED) {
      throw e;
    }
    return false;
  }
}
