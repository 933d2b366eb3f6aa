package org.keywell.ca.issuance;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.cert.X509Certificate;

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
        prove(pool, key.certificate());
      }
      return pool;
    } catch (CaSigningException e) {
      throw new IssuingKeyException("the issuing key does not sign", e);
    }
  }

  /**
   * Signs and verifies.
   *
   * @throws IssuingKeyException if the certificate's key does not verify what was signed
   */
  static void prove(SignerPool pool, X509Certificate certificate) throws CaSigningException {
    byte[] signature = pool.sign(CONTENT);
    try {
      Signature verifier =
          Signature.getInstance(SignatureAlgorithms.forKey(certificate.getPublicKey()));
      verifier.initVerify(certificate.getPublicKey());
      verifier.update(CONTENT);
      if (!verifier.verify(signature)) {
        throw new IssuingKeyException("the issuing key does not belong to its certificate");
      }
    } catch (GeneralSecurityException e) {
      throw new IssuingKeyException("the issuing key's signature cannot be verified", e);
    }
  }
}
