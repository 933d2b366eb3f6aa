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
 * Proves that a device unwraps what it has wrapped. A device may report success for a bad wrap, and
 * nobody would notice until the key is loaded. Conversely, a failing device may return codes that
 * blame the key, and that must not cost a store full of good keys. Thread-safe.
 */
final class BlobProof {

  private final Hsm hsm;
  private final KeyDestroyer destroyer;

  /** Throw-away keys that have unwrapped before: a further proof is one more unwrap. */
  private final Map<KeySpec, WrappedKey> known = new ConcurrentHashMap<>();

  BlobProof(Hsm hsm, KeyDestroyer destroyer) {
    this.hsm = hsm;
    this.destroyer = destroyer;
  }

  /**
   * Unwraps a throw-away key of this kind; if none is known to be good, generates one first.
   *
   * @throws HsmException if the device fails to
   */
  void unwrapsAtAll(KeySpec spec) {
    WrappedKey key = known.get(spec);
    // A wrapping key that has been followed by another may be destroyed at any time.
    boolean usable = key != null && key.wrappingKeyId().equals(hsm.wrappingKeyId());
    WrappedKey tried = key != null && usable ? key : newKey(spec);
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
   * Whether the device unwraps the key. Signs nothing, so the key may be stored.
   *
   * @throws HsmException if the failure concerns only the device
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
   * Whether a throw-away key of this kind unwraps and signs, and its signature verifies.
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
              handle,
              ProofSignature.scheme(spec),
              ProofSignature.DIGEST,
              ProofSignature.content(spec));
      boolean verifies = ProofSignature.verifies(spec, key.publicKey(), signature);
      if (verifies) {
        known.put(spec, key);
      }
      return verifies;
    } finally {
      destroyer.destroy(handle);
    }
  }

  /** Vendors also answer a damaged blob with their own codes, which count as {@code FAILED}. */
  private static boolean refusal(HsmException e) {
    if (e.concernsDevice() && e.reason() != Reason.FAILED) {
      throw e;
    }
    return false;
  }
}
