package org.keywell.keypool;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * Tells a device that cannot unwrap from keys that cannot be unwrapped: devices fail with codes
 * that name the key, and a store full of good keys must not be thrown away for that. For one thread
 * at a time.
 */
final class UnwrapProof {

  private final Hsm hsm;
  private final KeyDestroyer destroyer;

  /** Throw-away keys that unwrapped before, so that a further proof is one more unwrap. */
  private final Map<KeySpec, WrappedKey> known = new ConcurrentHashMap<>();

  UnwrapProof(Hsm hsm, KeyDestroyer destroyer) {
    this.hsm = hsm;
    this.destroyer = destroyer;
  }

  /**
   * Unwraps a throw-away key; the first time for each kind, generates and wraps it before that.
   *
   * @throws HsmException if the device does not do that
   */
  void run(KeySpec spec) {
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
}
