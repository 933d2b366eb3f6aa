package org.keywell.ca.issuance;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.Subject;

/**
 * Encodes distinguished names. Values are given to Bouncy Castle as ASN.1 strings, never as text:
 * it reads a leading {@code #} or a backslash in text as an encoding or an escape.
 */
public final class DistinguishedNames {
  private DistinguishedNames() {}

  /**
   * A natural person's name (ETSI EN 319 412-2, clause 4.2.4), or a CA's (clause 4.2.3), from the
   * general to the specific.
   */
  public static X500Name of(Subject subject) {
    X500NameBuilder name = new X500NameBuilder();
    addPrintable(name, BCStyle.C, subject.country());
    addUtf8(name, BCStyle.O, subject.organization());
    addUtf8(name, BCStyle.OU, subject.organizationalUnit());
    addUtf8(name, BCStyle.CN, subject.commonName());
    addUtf8(name, BCStyle.GIVENNAME, subject.givenName());
    addUtf8(name, BCStyle.SURNAME, subject.surname());
    addPrintable(name, BCStyle.SERIALNUMBER, subject.serialNumber());
    return name.build();
  }

  private static void addUtf8(
      X500NameBuilder name, ASN1ObjectIdentifier type, @Nullable String value) {
    if (value != null) {
      name.addRDN(type, new DERUTF8String(value));
    }
  }

  /** RFC 5280, appendix A.1, fixes these two attributes to PrintableString. */
  private static void addPrintable(
      X500NameBuilder name, ASN1ObjectIdentifier type, @Nullable String value) {
    if (value != null) {
      name.addRDN(type, new DERPrintableString(value));
    }
  }
}
