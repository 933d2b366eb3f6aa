package org.keywell.keypool.hsm.pkcs11;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;

/** The DER of the curves (RFC 5480): their object identifiers. */
enum NamedCurve {
  P256(KeySpec.EC_P256, "06082a8648ce3d030107"),
  P384(KeySpec.EC_P384, "06052b81040022");

  private static final byte UNCOMPRESSED = 4;
  private static final byte OCTET_STRING = 4;

  private final KeySpec spec;
  private final String objectIdentifier;

  NamedCurve(KeySpec spec, String objectIdentifier) {
    this.spec = spec;
    this.objectIdentifier = objectIdentifier;
  }

  static NamedCurve of(KeySpec spec) {
    return Stream.of(values())
        .filter(curve -> curve.spec == spec)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(spec + " is not an elliptic curve"));
  }

  /** Returns the length of a coordinate, and of the group's order, in bytes. */
  int fieldBytes() {
    return spec.bits() / Byte.SIZE;
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
    int pointBytes = 1 + 2 * fieldBytes();
    boolean encoded =
        ecPoint.length == pointBytes + 2 && ecPoint[0] == OCTET_STRING && ecPoint[1] == pointBytes;
    int start = encoded ? 2 : 0;
    if (ecPoint.length - start != pointBytes || ecPoint[start] != UNCOMPRESSED) {
      throw new HsmException(Reason.FAILED, "CKA_EC_POINT is not an uncompressed point of " + this);
    }
    // The head has the point's first octet.
    byte[] head = HexFormat.of().parseHex(spec.encodingHead());
    byte[] der = Arrays.copyOf(head, head.length + pointBytes - 1);
    System.arraycopy(ecPoint, start + 1, der, head.length, pointBytes - 1);
    return der;
  }
}
