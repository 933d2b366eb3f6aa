package org.keywell.keypool.hsm.pkcs11;

import java.util.Arrays;
import java.util.HexFormat;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;

/** The DER of the curves (RFC 5480): their object identifiers and the prefix of a point in SPKI. */
enum NamedCurve {
  P256(32, "06082a8648ce3d030107", "3059301306072a8648ce3d020106082a8648ce3d030107034200"),
  P384(48, "06052b81040022", "3076301006072a8648ce3d020106052b81040022036200");

  private static final byte UNCOMPRESSED = 4;
  private static final byte OCTET_STRING = 4;

  private final int fieldBytes;
  private final String objectIdentifier;
  private final String subjectPublicKeyInfoPrefix;

  NamedCurve(int fieldBytes, String objectIdentifier, String subjectPublicKeyInfoPrefix) {
    this.fieldBytes = fieldBytes;
    this.objectIdentifier = objectIdentifier;
    this.subjectPublicKeyInfoPrefix = subjectPublicKeyInfoPrefix;
  }

  static NamedCurve of(KeySpec spec) {
    return switch (spec) {
      case EC_P256 -> P256;
      case EC_P384 -> P384;
      case RSA_2048, RSA_3072, RSA_4096 ->
          throw new IllegalArgumentException(spec + " is not an elliptic curve");
    };
  }

  /** Returns the length of a coordinate, and of the group's order, in bytes. */
  int fieldBytes() {
    return fieldBytes;
  }

  /** Returns the value of {@code CKA_EC_PARAMS}. */
  byte[] ecParams() {
    return HexFormat.of().parseHex(objectIdentifier);
  }

  /**
   * Returns the {@code SubjectPublicKeyInfo} of a point.
   *
   * @param ecPoint the value of {@code CKA_EC_POINT}: the uncompressed point, in a DER OCTET STRING
   *     as the standard requires, or bare as in some modules
   */
  byte[] subjectPublicKeyInfo(byte[] ecPoint) {
    int pointBytes = 1 + 2 * fieldBytes;
    boolean encoded =
        ecPoint.length == pointBytes + 2 && ecPoint[0] == OCTET_STRING && ecPoint[1] == pointBytes;
    int start = encoded ? 2 : 0;
    if (ecPoint.length - start != pointBytes || ecPoint[start] != UNCOMPRESSED) {
      throw new HsmException(Reason.FAILED, "CKA_EC_POINT is not an uncompressed point of " + this);
    }
    byte[] prefix = HexFormat.of().parseHex(subjectPublicKeyInfoPrefix);
    byte[] der = Arrays.copyOf(prefix, prefix.length + pointBytes);
    System.arraycopy(ecPoint, start, der, prefix.length, pointBytes);
    return der;
  }
}
