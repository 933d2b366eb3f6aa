package org.keywell.keypool.hsm;

/**
 * A key pair at rest outside the HSM: the private key only as the wrapping key's ciphertext. Byte
 * arrays are owned by the record and not to be modified.
 *
 * @param spec the kind of the key pair
 * @param wrappingKeyId {@link Hsm#wrappingKeyId()} of the device that wrapped it
 * @param wrapMechanism {@link Hsm#wrapMechanism()} of the device that wrapped it
 * @param publicKey the DER {@code SubjectPublicKeyInfo}; not to be trusted once it came from a
 *     database
 * @param wrappedPrivateKey the wrapped {@code PrivateKeyInfo} (RFC 5208)
 */
public record WrappedKey(
    KeySpec spec,
    String wrappingKeyId,
    String wrapMechanism,
    byte[] publicKey,
    byte[] wrappedPrivateKey) {

  /** Without the ciphertext: it says nothing to a reader and fills a log. */
  @Override
  public String toString() {
    return "WrappedKey[" + spec + ", wrapping key " + wrappingKeyId + ", " + wrapMechanism + "]";
  }
}
