package org.keywell.keypool.hsm.pkcs11;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.SignatureScheme;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A private key in a token and a certificate that may be its own. */
record CertifiedEntry(CertifiedKey key, X509Certificate certificate) {
  private static final Logger log = LoggerFactory.getLogger(CertifiedEntry.class);

  private static final byte[] PROOF = "Keywell proof".getBytes(StandardCharsets.US_ASCII);

  /** Whether the key signs what the certificate verifies. */
  boolean signs() {
    SignatureScheme scheme = key.spec().defaultScheme();
    try {
      byte[] digest = MessageDigest.getInstance(DigestAlgorithm.SHA_256.label()).digest(PROOF);
      byte[] signature = key.sign(scheme, DigestAlgorithm.SHA_256, digest);
      PublicKey publicKey = certificate.getPublicKey();
      Signature verifier =
          Signature.getInstance(
              scheme == SignatureScheme.ECDSA ? "SHA256withECDSA" : "SHA256withRSA");
      verifier.initVerify(publicKey);
      verifier.update(PROOF);
      return verifier.verify(signature);
    } catch (HsmException | GeneralSecurityException e) {
      log.debug("a private key in the token does not sign", e);
      return false;
    }
  }
}
