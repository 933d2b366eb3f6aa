package org.keywell.keypool.hsm;

/**
 * A newly generated key pair: the private key live inside the HSM, the public key outside.
 *
 * @param privateKey owned by the caller, who destroys it with {@link Hsm#destroy}
 * @param publicKey the DER {@code SubjectPublicKeyInfo} (RFC 5280, section 4.1); not to be modified
 */
public record LiveKeyPair(KeyHandle privateKey, byte[] publicKey) {}
