package org.keywell.keypool.load;

import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.pool.OrphanKeys;

/**
 * Tells a device that cannot unwrap from keys that cannot be unwrapped: devices fail with codes
 * that name the key, and a store full of good keys must not be thrown away for that.
 */
final class UnwrapProof {

  private final Hsm hsm;
  private final OrphanKeys orphans;

  UnwrapProof(Hsm hsm, OrphanKeys orphans) {
    this.hsm = hsm;
    this.orphans = orphans;
  }

  /**
   * Generates, wraps and unwraps a throw-away key.
   *
   * @throws HsmException if the device does not do that
   */
  void run(KeySpec spec) {
    LiveKeyPair pair = hsm.generateExtractable(spec);
    WrappedKey wrapped;
    try {
      wrapped = hsm.wrap(pair);
    } finally {
      orphans.destroy(pair.privateKey());
    }
    orphans.destroy(hsm.unwrap(wrapped));
  }
}
