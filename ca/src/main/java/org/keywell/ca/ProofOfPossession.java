package org.keywell.ca;

/**
 * A signature that only the holder of the private key can have made (RFC 4211, section 4, in
 * purpose).
 */
public sealed interface ProofOfPossession {

  /**
   * A signature over a document's digest. The document itself is not known here, so the digest is
   * taken as it is.
   *
   * @param digest the value that was signed, not hashed again
   * @param signature as the scheme encodes it: RFC 8017 octets, or a DER {@code Ecdsa-Sig-Value}
   */
  record SignedDigest(
      ProofScheme scheme, ProofDigest digestAlgorithm, byte[] digest, byte[] signature)
      implements ProofOfPossession {}

  /**
   * A certification request that the key has signed, for the time before there is anything else to
   * sign; see {@link PossessionRequest}.
   *
   * @param request PKCS #10, DER (RFC 2986, section 4)
   */
  record SignedRequest(byte[] request) implements ProofOfPossession {}
}
