package org.keywell.keypool.hsm.pkcs11;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.RSAPublicKeySpec;
import org.keywell.keypool.hsm.KeySpec;

/** Reads a public key object as DER {@code SubjectPublicKeyInfo} (RFC 5280, section 4.1). */
final class PublicKeyReader {
  private PublicKeyReader() {}

  static byte[] read(Session session, long publicKey, KeySpec spec) {
    ObjectAttributes attributes = new ObjectAttributes(session, publicKey);
    return switch (spec.algorithm()) {
      case RSA ->
          rsa(
              new BigInteger(1, attributes.require(Cka.CKA_MODULUS)),
              new BigInteger(1, attributes.require(Cka.CKA_PUBLIC_EXPONENT)));
      case EC -> NamedCurve.of(spec).subjectPublicKeyInfo(attributes.require(Cka.CKA_EC_POINT));
    };
  }

  private static byte[] rsa(BigInteger modulus, BigInteger publicExponent) {
    try {
      return KeyFactory.getInstance("RSA")
          .generatePublic(new RSAPublicKeySpec(modulus, publicExponent))
          .getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK does not accept an RSA public key", e);
    }
  }
}
