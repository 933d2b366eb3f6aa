package org.keywell.protection;

import java.io.IOException;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1Primitive;
import org.keywell.protection.ProtectionException.Fault;

/** DER in memory. */
final class Der {

  private Der() {}

  static byte[] write(ASN1Encodable value) {
    try {
      return value.toASN1Primitive().getEncoded(ASN1Encoding.DER);
    } catch (IOException e) {
      throw new IllegalStateException("encoding to memory", e);
    }
  }

  /**
   * Reads one value. What it would write differently is refused, so each value has one form: no
   * indefinite or padded lengths, no unsorted sets, nothing after the end.
   */
  static ASN1Primitive read(byte[] der) throws ProtectionException {
    try {
      ASN1Primitive value = ASN1Primitive.fromByteArray(der);
      if (value != null && Arrays.equals(value.getEncoded(ASN1Encoding.DER), der)) {
        return value;
      }
    } catch (IOException | IllegalArgumentException | IllegalStateException e) {
      // Refused below; what is wrong in detail helps nobody.
    }
    throw new ProtectionException(Fault.MALFORMED);
  }
}
