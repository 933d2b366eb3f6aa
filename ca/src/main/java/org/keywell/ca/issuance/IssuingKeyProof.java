package org.keywell.ca.issuance;

import java.nio.charset.StandardCharsets;

/** Tests the issuing key with a signature before it is used. */
final class IssuingKeyProof {
  private static final byte[] CONTENT =
      "Keywell proof of an issuing key".getBytes(StandardCharsets.US_ASCII);

  private IssuingKeyProof() {}

  static SignerPool provenPool(IssuingKey key, SigningLimits limits) {
    try {
      SignerPool pool = new SignerPool(key, limits);
      prove(pool);
      return pool;
    } catch (CaSigningException e) {
      throw new IssuingKeyException(
          "the issuing key does not sign for its certificate: " + e.detail(), e);
    }
  }

  /** Signs; the pool verifies the signature. */
  static void prove(SignerPool pool) throws CaSigningException {
    var _ = pool.sign(CONTENT);
  }
}
