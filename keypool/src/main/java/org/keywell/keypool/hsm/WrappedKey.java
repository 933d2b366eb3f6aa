package org.keywell.keypool.hsm;

/**
 * A key pair at rest outside the HSM: the private key only as the wrapping key's ciphertext. The
 * record owns its byte arrays; they must not be modified.
 *
 * @param spec the kind of the key pair
 * @param wrappingKeyId {@link Hsm#wrappingKeyId()} of the device that wrapped it
 * @param wrapMechanism {@link Hsm#wrapMechanism()} of the device that wrapped it
 * @param publicKey the DER {@code SubjectPublicKeyInfo}; untrusted once it came from a database
 * @param wrappedPrivateKey the wrapped {@code PrivateKeyInfo} (RFC 5208)
 */
public record WrappedKey(
    KeySpec spec,
    String wrappingKeyId,
    String wrapMechanism,
    byte[] publicKey,
    byte[] wrappedPrivateKey) {

  /** Omits the ciphertext, which is useless to readers and fills logs. */
  @Override
  public String toString() {
    return "WrappedKey[" + spec + ", wrapping key " + wrappingKeyId + ", " + wrapMechanism + "]";
  }
}
