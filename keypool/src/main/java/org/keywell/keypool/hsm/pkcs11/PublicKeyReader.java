package org.keywell.keypool.hsm.pkcs11;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.RSAPublicKeySpec;
import java.util.HexFormat;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
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
      // RFC 9881, section 4: the bit string is the key, in no other encoding.
      case ML_DSA -> mlDsa(spec, attributes.require(Cka.CKA_VALUE));
      case EC -> NamedCurve.of(spec).subjectPublicKeyInfo(attributes.require(Cka.CKA_EC_POINT));
    };
  }

  private static byte[] mlDsa(KeySpec spec, byte[] key) {
    if (key.length != spec.bits() / Byte.SIZE) {
      throw new HsmException(
          Reason.FAILED, "CKA_VALUE of a public key of " + spec + " has " + key.length + " bytes");
    }
    return HexFormat.of().parseHex(spec.encodingHead() + HexFormat.of().formatHex(key));
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
