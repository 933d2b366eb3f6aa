package org.keywell.kmip.object;

import org.jspecify.annotations.Nullable;

/** What an object is about. Arrays are not copied; nobody changes them. */
public sealed interface Material {

  /**
   * Content that only the HSM can read.
   *
   * @param blob the content, wrapped by AES-KWP (RFC 5649)
   * @param publicHalf the SubjectPublicKeyInfo of a private key, which verifies what it signs; null
   *     of anything else, and where it is not known
   */
  record Wrapped(String wrappingKeyId, byte[] blob, byte @Nullable [] publicHalf)
      implements Material {}

  /**
   * Public content.
   *
   * @param encoded the SubjectPublicKeyInfo of a public key, or a certificate, in DER
   */
  record Plain(byte[] encoded) implements Material {}
}
