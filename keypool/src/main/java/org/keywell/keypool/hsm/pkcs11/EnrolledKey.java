package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * A wrapping key on its way to one token. Not secret, but its creator could know the key: trust it
 * only after comparing it over another channel. Byte arrays must not be modified.
 *
 * @param label the key's {@code CKA_LABEL}, the same in each token
 * @param ckaId the key's {@code CKA_ID}, the same in each token
 * @param transportKey the public key that it is encrypted for, a DER {@code SubjectPublicKeyInfo}
 * @param encryptedKey the AES key, encrypted with RSA-OAEP
 * @param checkPublicKey the public key of a throw-away RSA-2048 pair
 * @param checkPrivateKey its private key, wrapped with the AES key
 */
public record EnrolledKey(
    String label,
    byte[] ckaId,
    byte[] transportKey,
    byte[] encryptedKey,
    byte[] checkPublicKey,
    byte[] checkPrivateKey) {

  public EnrolledKey {
    if (ckaId.length != NewWrappingKey.CKA_ID_BYTES
        || encryptedKey.length != TransportPublicKey.BITS / Byte.SIZE) {
      throw new IllegalArgumentException(
          "no key that is enrolled has an id of %d bytes and %d encrypted"
              .formatted(ckaId.length, encryptedKey.length));
    }
  }

  /** Returns the wrapping key's id in pool rows. */
  public String wrappingKeyId() {
    return key().id();
  }

  NewWrappingKey key() {
    return new NewWrappingKey(label, ckaId);
  }

  /** Returns the check key: a token that can use it has the right wrapping key. */
  WrappedKey check() {
    return new WrappedKey(
        KeySpec.RSA_2048, wrappingKeyId(), KeyWrapping.MECHANISM, checkPublicKey, checkPrivateKey);
  }
}
