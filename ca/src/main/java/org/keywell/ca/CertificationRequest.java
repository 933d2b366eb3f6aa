package org.keywell.ca;

/**
 * Asks for one certificate. The arrays are not copied; the caller leaves them alone until {@link
 * CertificateAuthority#certify} has returned.
 *
 * @param publicKey the key to certify, a DER {@code SubjectPublicKeyInfo} (RFC 5280, section
 *     4.1.2.7)
 */
public record CertificationRequest(byte[] publicKey, Subject subject, ProofOfPossession proof) {}
