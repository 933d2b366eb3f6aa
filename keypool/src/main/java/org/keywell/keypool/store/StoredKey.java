package org.keywell.keypool.store;

import org.keywell.keypool.hsm.WrappedKey;

/**
 * A wrapped key with its identity.
 *
 * @param id names the key for ever; ids grow in the order of generation
 */
public record StoredKey(long id, WrappedKey key) {

  /** Whether the public key is in the one encoding that its kind has; another must not sign. */
  public boolean isCanonical() {
    return PublicKeyForm.fits(key.spec(), key.publicKey());
  }
}
