package org.keywell.keypool.hsm.pkcs11;

import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;

/**
 * A wrapping key on its way to one token. Not secret; but whoever made it could know the key, so it
 * is to be believed only once it was compared by another way. Byte arrays are not to be modified.
 *
 * @param label the key's {@code CKA_LABEL}, the same in each token
 * @param ckaId the key's {@code CKA_ID}, the same in each token
 * @param transportKey the public key that it is encrypted for, a DER {@code SubjectPublicKeyInfo}
 * @param encryptedKey the AES key, by RSA-OAEP
 * @param checkPublicKey the public key of a throw-away RSA-2048 pair
 * @param checkPrivateKey its private key, wrapped by the AES key
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

  /** Names the wrapping key in pool rows. */
  public String wrappingKeyId() {
    return key().id();
  }

  NewWrappingKey key() {
    return new NewWrappingKey(label, ckaId);
  }

  /** A token that uses this key as it should has the right wrapping key. */
  WrappedKey check() {
    return new WrappedKey(
        KeySpec.RSA_2048, wrappingKeyId(), KeyWrapping.MECHANISM, checkPublicKey, checkPrivateKey);
  }
}
