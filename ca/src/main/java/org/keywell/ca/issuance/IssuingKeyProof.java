package org.keywell.ca.issuance;

import java.nio.charset.StandardCharsets;

/** Has the issuing key sign, once by each provider, before it is relied upon. */
final class IssuingKeyProof {
  private static final byte[] CONTENT =
      "Keywell proof of an issuing key".getBytes(StandardCharsets.US_ASCII);

  private IssuingKeyProof() {}

  static SignerPool provenPool(IssuingKey key, SigningLimits limits) {
    try {
      SignerPool pool = new SignerPool(key, limits);
      // The first turns are at one provider each.
      for (int i = 0; i < Math.min(key.accesses().size(), limits.concurrentSignatures()); i++) {
        prove(pool);
      }
      return pool;
    } catch (CaSigningException e) {
      throw new IssuingKeyException(
          "the issuing key does not sign for its certificate: " + e.detail(), e);
    }
  }

  /** Signs, and has the pool verify that. */
  static void prove(SignerPool pool) throws CaSigningException {
    var _ = pool.sign(CONTENT);
  }
}
