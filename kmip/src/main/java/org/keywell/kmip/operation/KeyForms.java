package org.keywell.kmip.operation;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import org.keywell.kmip.message.KmipException;

/**
 * The forms of asymmetric keys. Here they are kept as PKCS#8 (RFC 5208) and as {@code
 * SubjectPublicKeyInfo} (RFC 5280).
 */
final class KeyForms {

  /** {@code AlgorithmIdentifier} of rsaEncryption with NULL (RFC 8017, appendix A.1). */
  private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

  /** {@code id-ecPublicKey} (RFC 5480, section 2.1.1). */
  private static final byte[] EC_PUBLIC_KEY = HexFormat.of().parseHex("06072a8648ce3d0201");

  private static final byte[] VERSION_0 = {Der.INTEGER, 1, 0};

  /**
   * What a key is.
   *
   * @param algorithm of the enumeration {@code CryptographicAlgorithm}
   */
  record Kind(String algorithm, int bits) {}

  private KeyForms() {}

  /** Returns the {@code RSAPrivateKey} or {@code ECPrivateKey} inside of PKCS#8. */
  static byte[] inner(byte[] pkcs8) {
    Der info = Der.of(pkcs8).into(Der.SEQUENCE);
    byte[] _ = info.next(Der.INTEGER);
    byte[] _ = info.next(Der.SEQUENCE);
    return info.next(Der.OCTET_STRING);
  }

  /** Returns PKCS#8 around an {@code RSAPrivateKey}. */
  static byte[] pkcs8OfRsa(byte[] pkcs1) {
    return Der.element(Der.SEQUENCE, VERSION_0, RSA, Der.element(Der.OCTET_STRING, pkcs1));
  }

  /** Returns PKCS#8 around an {@code ECPrivateKey} (RFC 5915) that names its curve. */
  static byte[] pkcs8OfEc(byte[] ecPrivateKey) {
    Der key = Der.of(ecPrivateKey).into(Der.SEQUENCE);
    byte[] _ = key.next(Der.INTEGER);
    byte[] _ = key.next(Der.OCTET_STRING);
    byte[] curve = key.next(Der.CONTEXT_0);
    return Der.element(
        Der.SEQUENCE, VERSION_0, ecAlgorithm(curve), Der.element(Der.OCTET_STRING, ecPrivateKey));
  }

  /** Returns the {@code AlgorithmIdentifier} of keys on a curve. */
  static byte[] ecAlgorithm(byte[] curve) {
    return Der.element(Der.SEQUENCE, ecIdentifier(curve));
  }

  /** Returns its content. */
  static byte[] ecIdentifier(byte[] curve) {
    return Der.join(EC_PUBLIC_KEY, curve);
  }

  /** Returns the {@code RSAPublicKey} inside of a {@code SubjectPublicKeyInfo}. */
  static byte[] rsaPublicKey(byte[] subjectPublicKeyInfo) {
    Der info = Der.of(subjectPublicKeyInfo).into(Der.SEQUENCE);
    byte[] _ = info.next(Der.SEQUENCE);
    byte[] bits = info.next(Der.BIT_STRING);
    return Arrays.copyOfRange(bits, 1, bits.length);
  }

  /** Returns the {@code SubjectPublicKeyInfo} around an {@code RSAPublicKey}. */
  static byte[] infoOfRsa(byte[] rsaPublicKey) {
    byte[] noUnusedBits = {0};
    return Der.element(Der.SEQUENCE, RSA, Der.element(Der.BIT_STRING, noUnusedBits, rsaPublicKey));
  }

  /**
   * Parses a public key.
   *
   * @throws KmipException if it is neither RSA nor on a curve that Java knows
   */
  static PublicKey publicKey(byte[] subjectPublicKeyInfo) {
    String algorithm = algorithm(subjectPublicKeyInfo, false);
    try {
      return KeyFactory.getInstance(algorithm)
          .generatePublic(new X509EncodedKeySpec(subjectPublicKeyInfo));
    } catch (GeneralSecurityException | RuntimeException e) {
      throw unreadable(e);
    }
  }

  /**
   * Tells what a public key is.
   *
   * @throws KmipException if it is none
   */
  static Kind ofPublic(byte[] subjectPublicKeyInfo) {
    PublicKey key = publicKey(subjectPublicKeyInfo);
    KeyChecks.require(key);
    return kind(key);
  }

  /**
   * Tells what a private key is.
   *
   * @throws KmipException if it is none, or has the public key of another
   */
  static Kind ofPrivate(byte[] pkcs8) {
    String algorithm = algorithm(pkcs8, true);
    PrivateKey key;
    try {
      key = KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException | RuntimeException e) {
      throw unreadable(e);
    }
    KeyChecks.require(key);
    if (key instanceof ECPrivateKey ec) {
      requireOwnPublicKey(ec, pkcs8);
    }
    return kind(key);
  }

  /** RFC 5915: the curve and the public key are optional, and repeat what is known. */
  private static void requireOwnPublicKey(ECPrivateKey key, byte[] pkcs8) {
    Der info = Der.of(pkcs8).into(Der.SEQUENCE);
    byte[] _ = info.next(Der.INTEGER);
    byte[] identifier = info.next(Der.SEQUENCE);
    Der fields = Der.of(info.next(Der.OCTET_STRING)).into(Der.SEQUENCE);
    byte[] _ = fields.next(Der.INTEGER);
    byte[] _ = fields.next(Der.OCTET_STRING);
    if (fields.isAt(Der.CONTEXT_0)) {
      byte[] curve = fields.next(Der.CONTEXT_0);
      if (!Arrays.equals(identifier, ecIdentifier(curve))) {
        throw new KmipException("InvalidField", "the key names two curves");
      }
    }
    if (fields.isAt(Der.CONTEXT_1)) {
      byte[] point = Der.of(fields.next(Der.CONTEXT_1)).next(Der.BIT_STRING);
      byte[] whole =
          Der.element(
              Der.SEQUENCE,
              Der.element(Der.SEQUENCE, identifier),
              Der.element(Der.BIT_STRING, point));
      KeyChecks.requirePair(key, (ECPublicKey) publicKey(whole));
    }
  }

  /** Whatever a parser throws is about the bytes that it was given. */
  private static KmipException unreadable(Exception e) {
    return new KmipException("InvalidField", "key material is neither RSA nor EC", e);
  }

  private static Kind kind(Object key) {
    return switch (key) {
      case RSAKey rsa -> new Kind("RSA", rsa.getModulus().bitLength());
      case ECKey ec -> new Kind("ECDSA", ec.getParams().getCurve().getField().getFieldSize());
      default -> throw new IllegalStateException("neither RSA nor EC: " + key.getClass());
    };
  }

  private static String algorithm(byte[] encoded, boolean isPrivate) {
    Der info = Der.of(encoded).into(Der.SEQUENCE);
    if (isPrivate) {
      byte[] _ = info.next(Der.INTEGER);
    }
    byte[] identifier = info.next(Der.SEQUENCE);
    return Arrays.equals(identifier, Arrays.copyOfRange(RSA, 2, RSA.length)) ? "RSA" : "EC";
  }
}
