package org.keywell.kmip.object;

/** What an object is about. Arrays are not copied; nobody changes them. */
public sealed interface Material {

  /**
   * Content that only the HSM can read.
   *
   * @param blob the content, wrapped by AES-KWP (RFC 5649)
   */
  record Wrapped(String wrappingKeyId, byte[] blob) implements Material {}

  /**
   * Public content.
   *
   * @param encoded the SubjectPublicKeyInfo of a public key, or a certificate, in DER
   */
  record Plain(byte[] encoded) implements Material {}
}
