package org.keywell.ca.issuance;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.Subject;
import org.keywell.ca.SubjectAttribute;

/**
 * Encodes distinguished names. Passes values to Bouncy Castle as ASN.1 strings, never as text,
 * where a leading {@code #} or a backslash would be parsed as an encoding or an escape.
 */
public final class DistinguishedNames {
  private DistinguishedNames() {}

  /**
   * Encodes a natural person's name (ETSI EN 319 412-2, clause 4.2.4) or a CA's (clause 4.2.3),
   * from general to specific.
   */
  public static X500Name of(Subject subject) {
    X500NameBuilder name = new X500NameBuilder();
    addPrintable(name, SubjectAttribute.COUNTRY, subject.country());
    addUtf8(name, SubjectAttribute.ORGANIZATION, subject.organization());
    addUtf8(name, SubjectAttribute.ORGANIZATIONAL_UNIT, subject.organizationalUnit());
    addUtf8(name, SubjectAttribute.COMMON_NAME, subject.commonName());
    addUtf8(name, SubjectAttribute.GIVEN_NAME, subject.givenName());
    addUtf8(name, SubjectAttribute.SURNAME, subject.surname());
    addPrintable(name, SubjectAttribute.SERIAL_NUMBER, subject.serialNumber());
    return name.build();
  }

  /** Returns the type of an attribute (ITU-T X.520). */
  static ASN1ObjectIdentifier typeOf(SubjectAttribute attribute) {
    return switch (attribute) {
      case COMMON_NAME -> BCStyle.CN;
      case GIVEN_NAME -> BCStyle.GIVENNAME;
      case SURNAME -> BCStyle.SURNAME;
      case SERIAL_NUMBER -> BCStyle.SERIALNUMBER;
      case ORGANIZATION -> BCStyle.O;
      case ORGANIZATIONAL_UNIT -> BCStyle.OU;
      case COUNTRY -> BCStyle.C;
    };
  }

  private static void addUtf8(
      X500NameBuilder name, SubjectAttribute attribute, @Nullable String value) {
    if (value != null) {
      name.addRDN(typeOf(attribute), new DERUTF8String(value));
    }
  }

  /** RFC 5280, appendix A.1, requires PrintableString for these two attributes. */
  private static void addPrintable(
      X500NameBuilder name, SubjectAttribute attribute, @Nullable String value) {
    if (value != null) {
      name.addRDN(typeOf(attribute), new DERPrintableString(value));
    }
  }
}
