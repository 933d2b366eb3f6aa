package org.keywell.keypool.hsm.pkcs11;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.SignatureScheme;

/** Verifies what a managed private key has signed, outside of the device. */
final class PublicHalf {

  private PublicHalf() {}

  /**
   * Whether a signature of a digest verifies; false also if it or the public key is malformed.
   *
   * @param publicKey SubjectPublicKeyInfo, DER
   */
  static boolean verifies(
      byte[] publicKey,
      SignatureScheme scheme,
      DigestAlgorithm algorithm,
      byte[] digest,
      byte[] signature) {
    X509EncodedKeySpec encoded = new X509EncodedKeySpec(publicKey);
    try {
      if (scheme != SignatureScheme.ECDSA) {
        RSAPublicKey key = (RSAPublicKey) KeyFactory.getInstance("RSA").generatePublic(encoded);
        return new RsaVerification(key.getModulus(), key.getPublicExponent())
            .verifies(scheme, algorithm, digest, signature);
      }
      Signature verifier = Signature.getInstance("NONEwithECDSA");
      verifier.initVerify(KeyFactory.getInstance("EC").generatePublic(encoded));
      verifier.update(digest);
      return verifier.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** PKCS#11 2.40 has tokens keep both attributes with an RSA private key (section 2.1.3). */
  static RsaVerification inToken(Session session, KeyHandle key) {
    ObjectAttributes attributes = new ObjectAttributes(session, key.value());
    return new RsaVerification(
        new BigInteger(1, attributes.require(Cka.CKA_MODULUS)),
        new BigInteger(1, attributes.require(Cka.CKA_PUBLIC_EXPONENT)));
  }
}
