package org.keywell.ca;

import org.jspecify.annotations.Nullable;

/**
 * A request for one certificate. The arrays are not copied; the caller must not change them until
 * {@link CertificateAuthority#certify} has returned.
 *
 * @param publicKey the key to certify, a DER {@code SubjectPublicKeyInfo} (RFC 5280, section
 *     4.1.2.7)
 * @param profile the name of a certificate profile
 * @param authentication how the signer was identified; null to leave it out
 */
public record CertificationRequest(
    byte[] publicKey,
    Subject subject,
    ProofOfPossession proof,
    String profile,
    @Nullable AuthenticationContext authentication) {}
