package org.keywell.keypool.store;

import org.keywell.keypool.hsm.WrappedKey;

/**
 * A wrapped key with its id.
 *
 * @param id permanent; ids grow in the order of generation
 */
public record StoredKey(long id, WrappedKey key) {

  /** Whether the public key has its kind's only valid encoding; if not, the key must not sign. */
  public boolean isCanonical() {
    return PublicKeyForm.fits(key.spec(), key.publicKey());
  }
}
