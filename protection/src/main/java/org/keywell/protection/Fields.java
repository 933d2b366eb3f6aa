package org.keywell.protection;

import java.math.BigInteger;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.ASN1Sequence;
import org.bouncycastle.asn1.ASN1Set;
import org.bouncycastle.asn1.ASN1TaggedObject;
import org.bouncycastle.asn1.BERTags;
import org.keywell.protection.ProtectionException.Fault;

/** The elements of a SEQUENCE, one after the other; each is what is asked for, or refused. */
final class Fields {

  private final ASN1Sequence sequence;
  private int next;

  private Fields(ASN1Sequence sequence) {
    this.sequence = sequence;
  }

  static Fields of(ASN1Encodable value) throws ProtectionException {
    return new Fields(as(ASN1Sequence.class, value));
  }

  ASN1Encodable any() throws ProtectionException {
    if (next == sequence.size()) {
      throw malformed();
    }
    return sequence.getObjectAt(next++);
  }

  void version(int version) throws ProtectionException {
    if (!as(ASN1Integer.class, any()).hasValue(BigInteger.valueOf(version))) {
      throw malformed();
    }
  }

  ASN1ObjectIdentifier oid() throws ProtectionException {
    return as(ASN1ObjectIdentifier.class, any());
  }

  byte[] octets() throws ProtectionException {
    return octets(any());
  }

  static byte[] octets(ASN1Encodable value) throws ProtectionException {
    return as(ASN1OctetString.class, value).getOctets();
  }

  ASN1Set set() throws ProtectionException {
    return as(ASN1Set.class, any());
  }

  /** Returns a value with the tag [0], explicitly. */
  ASN1Encodable explicit() throws ProtectionException {
    ASN1TaggedObject tagged = tagged(any());
    if (!tagged.isExplicit()) {
      throw malformed();
    }
    return tagged.getExplicitBaseObject();
  }

  /** Returns a set with the tag [0], implicitly. */
  ASN1Set implicitSet() throws ProtectionException {
    return as(ASN1Set.class, implicit(any(), BERTags.SET));
  }

  /** Returns octets with the tag [0], implicitly. */
  byte[] implicitOctets() throws ProtectionException {
    return implicitOctets(any());
  }

  static byte[] implicitOctets(ASN1Encodable value) throws ProtectionException {
    return octets(implicit(value, BERTags.OCTET_STRING));
  }

  void end() throws ProtectionException {
    if (next != sequence.size()) {
      throw malformed();
    }
  }

  static <T> T as(Class<T> type, ASN1Encodable value) throws ProtectionException {
    if (!type.isInstance(value)) {
      throw malformed();
    }
    return type.cast(value);
  }

  private static ASN1Encodable implicit(ASN1Encodable value, int type) throws ProtectionException {
    try {
      return tagged(value).getBaseUniversal(false, type);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw malformed();
    }
  }

  private static ASN1TaggedObject tagged(ASN1Encodable value) throws ProtectionException {
    ASN1TaggedObject tagged = as(ASN1TaggedObject.class, value);
    if (!tagged.hasContextTag(0)) {
      throw malformed();
    }
    return tagged;
  }

  private static ProtectionException malformed() {
    return new ProtectionException(Fault.MALFORMED);
  }
}
