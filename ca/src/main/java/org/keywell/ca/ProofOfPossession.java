package org.keywell.ca;

/**
 * A signature that only the holder of the private key can have created; it serves the purpose of
 * RFC 4211, section 4.
 */
public sealed interface ProofOfPossession {

  /**
   * A signature over a document's digest. The CA does not have the document and takes the digest as
   * given.
   *
   * @param digest the signed value, not hashed again; a message if the scheme {@link
   *     ProofScheme#signsMessages}
   * @param signature in the scheme's encoding: octets of RFC 8017 or FIPS 204, or a DER {@code
   *     Ecdsa-Sig-Value}
   */
  record SignedDigest(
      ProofScheme scheme, ProofDigest digestAlgorithm, byte[] digest, byte[] signature)
      implements ProofOfPossession {}

  /**
   * A certification request signed by the key, used before there is anything else to sign; see
   * {@link PossessionRequest}.
   *
   * @param request PKCS #10, DER (RFC 2986, section 4)
   */
  record SignedRequest(byte[] request) implements ProofOfPossession {}
}
