package org.keywell.ca;

/**
 * A signature over a digest that only the holder of the private key can have made (RFC 4211,
 * section 4, in purpose). The document itself is not known here, so the digest is taken as it is.
 *
 * @param digest the value that was signed, not hashed again
 * @param signature as the scheme encodes it: RFC 8017 octets, or a DER {@code Ecdsa-Sig-Value}
 */
public record ProofOfPossession(
    ProofScheme scheme, ProofDigest digestAlgorithm, byte[] digest, byte[] signature) {}
