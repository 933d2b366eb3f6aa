package org.keywell.kmip.operation;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.keywell.kmip.message.Fields;
import org.keywell.kmip.message.FieldsBuilder;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.ttlv.Value;

/**
 * Keys whose numbers a message has one by one (KMIP, section "Key Material"), from and to the forms
 * that are kept.
 */
final class TransparentKeys {

  private static final byte[] VERSION_0 = {Der.INTEGER, 1, 0};
  private static final byte[] VERSION_1 = {Der.INTEGER, 1, 1};

  /** Curves as {@code namedCurve} (RFC 5480, section 2.1.1.1), and the bytes of their numbers. */
  private record Curve(byte[] identifier, int bytes) {}

  private static final Map<String, Curve> CURVES =
      Map.of(
          "P_256", new Curve(HexFormat.of().parseHex("06082a8648ce3d030107"), 32),
          "P_384", new Curve(HexFormat.of().parseHex("06052b81040022"), 48),
          "P_521", new Curve(HexFormat.of().parseHex("06052b81040023"), 66));

  private TransparentKeys() {}

  /** Returns an {@code RSAPublicKey} (RFC 8017, appendix A.1.1). */
  static byte[] rsaPublicKey(Fields parts) {
    byte[] key =
        Der.element(Der.SEQUENCE, integer(parts, "Modulus"), integer(parts, "PublicExponent"));
    parts.end();
    return key;
  }

  /** Returns an {@code RSAPrivateKey} (RFC 8017, appendix A.1.2). */
  static byte[] rsaPrivateKey(Fields parts) {
    byte[] key =
        Der.element(
            Der.SEQUENCE,
            VERSION_0,
            integer(parts, "Modulus"),
            integer(parts, "PublicExponent"),
            integer(parts, "PrivateExponent"),
            integer(parts, "P"),
            integer(parts, "Q"),
            integer(parts, "PrimeExponentP"),
            integer(parts, "PrimeExponentQ"),
            integer(parts, "CRTCoefficient"));
    parts.end();
    return key;
  }

  /** Returns an {@code ECPrivateKey} (RFC 5915). */
  static byte[] ecPrivateKey(Fields parts) {
    Curve curve = curve(parts);
    BigInteger scalar = parts.required("D", Value.BigInt.class).value();
    parts.end();
    byte[] number = scalar.toByteArray();
    int used = Math.min(number.length, curve.bytes);
    if (scalar.signum() < 0 || scalar.bitLength() > curve.bytes * Byte.SIZE) {
      throw new KmipException("InvalidField", "D is not a private key of the curve");
    }
    byte[] padded = new byte[curve.bytes];
    System.arraycopy(number, number.length - used, padded, curve.bytes - used, used);
    return Der.element(
        Der.SEQUENCE,
        VERSION_1,
        Der.element(Der.OCTET_STRING, padded),
        Der.element(Der.CONTEXT_0, curve.identifier));
  }

  /** Returns a {@code SubjectPublicKeyInfo} (RFC 5480). */
  static byte[] ecPublicKey(Fields parts) {
    Curve curve = curve(parts);
    byte[] point = parts.bytes("QString");
    parts.end();
    byte[] noUnusedBits = {0};
    return Der.element(
        Der.SEQUENCE,
        KeyForms.ecAlgorithm(curve.identifier),
        Der.element(Der.BIT_STRING, noUnusedBits, point));
  }

  /** Returns the numbers of a {@code SubjectPublicKeyInfo}. */
  static FieldsBuilder ofRsaPublic(byte[] subjectPublicKeyInfo) {
    Der key = Der.of(KeyForms.rsaPublicKey(subjectPublicKeyInfo)).into(Der.SEQUENCE);
    FieldsBuilder parts = new FieldsBuilder();
    for (String tag : List.of("Modulus", "PublicExponent")) {
      parts.add(tag, integer(key));
    }
    return parts;
  }

  /** Returns the numbers of a key in PKCS#8. */
  static FieldsBuilder ofRsaPrivate(byte[] pkcs8) {
    Der key = Der.of(KeyForms.inner(pkcs8)).into(Der.SEQUENCE);
    byte[] _ = key.next(Der.INTEGER);
    Value.BigInt modulus = integer(key);
    Value.BigInt publicExponent = integer(key);
    FieldsBuilder parts =
        new FieldsBuilder()
            .add("Modulus", modulus)
            .add("PrivateExponent", integer(key))
            .add("PublicExponent", publicExponent);
    for (String tag : List.of("P", "Q", "PrimeExponentP", "PrimeExponentQ", "CRTCoefficient")) {
      parts.add(tag, integer(key));
    }
    return parts;
  }

  /** Returns curve and point of a {@code SubjectPublicKeyInfo}. */
  static FieldsBuilder ofEcPublic(byte[] subjectPublicKeyInfo) {
    Der info = Der.of(subjectPublicKeyInfo).into(Der.SEQUENCE);
    String curve = curve(info.next(Der.SEQUENCE));
    byte[] bits = info.next(Der.BIT_STRING);
    return new FieldsBuilder()
        .choice("RecommendedCurve", curve)
        .bytes("QString", Arrays.copyOfRange(bits, 1, bits.length));
  }

  /** Returns curve and number of a key in PKCS#8. */
  static FieldsBuilder ofEcPrivate(byte[] pkcs8) {
    Der info = Der.of(pkcs8).into(Der.SEQUENCE);
    byte[] _ = info.next(Der.INTEGER);
    String curve = curve(info.next(Der.SEQUENCE));
    Der key = Der.of(info.next(Der.OCTET_STRING)).into(Der.SEQUENCE);
    byte[] _ = key.next(Der.INTEGER);
    return new FieldsBuilder()
        .choice("RecommendedCurve", curve)
        .add("D", new Value.BigInt(new BigInteger(1, key.next(Der.OCTET_STRING))));
  }

  private static Value.BigInt integer(Der key) {
    return new Value.BigInt(new BigInteger(key.next(Der.INTEGER)));
  }

  /**
   * Returns the name of the curve of an {@code AlgorithmIdentifier}, of which this is the content.
   */
  private static String curve(byte[] identifier) {
    for (var each : CURVES.entrySet()) {
      if (Arrays.equals(identifier, KeyForms.ecIdentifier(each.getValue().identifier))) {
        return each.getKey();
      }
    }
    throw new KmipException(
        "KeyFormatTypeNotSupported", "transparent EC keys are on P-256, P-384 or P-521");
  }

  private static Curve curve(Fields parts) {
    Curve curve = CURVES.get(parts.choice("RecommendedCurve"));
    if (curve == null) {
      throw new KmipException("InvalidField", "EC keys are on P-256, P-384 or P-521");
    }
    return curve;
  }

  private static byte[] integer(Fields parts, String tag) {
    BigInteger number = parts.required(tag, Value.BigInt.class).value();
    return Der.element(Der.INTEGER, number.toByteArray());
  }
}
