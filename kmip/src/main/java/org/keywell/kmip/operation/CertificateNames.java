package org.keywell.kmip.operation;

import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Map;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;
import org.keywell.kmip.object.AttributeName;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.ttlv.Value;

/** What 2.x says of a certificate's subject and issuer, part by part. */
final class CertificateNames {

  /** How the parts are called here; RFC 2253 itself names the others. */
  private static final Map<String, String> KEYWORDS =
      Map.of(
          "1.2.840.113549.1.9.1", "Email",
          "2.5.4.5", "SerialNumber",
          "2.5.4.12", "Title",
          "2.5.4.46", "DNQualifier");

  /** The attributes' names, by the keyword of a part. */
  private static final Map<String, String> PARTS =
      Map.ofEntries(
          Map.entry("CN", "CN"),
          Map.entry("O", "O"),
          Map.entry("OU", "OU"),
          Map.entry("EMAIL", "Email"),
          Map.entry("C", "C"),
          Map.entry("ST", "ST"),
          Map.entry("L", "L"),
          Map.entry("UID", "UID"),
          Map.entry("SERIALNUMBER", "Serial Number"),
          Map.entry("TITLE", "Title"),
          Map.entry("DC", "DC"),
          Map.entry("DNQUALIFIER", "DN Qualifier"));

  private CertificateNames() {}

  /**
   * Returns attributes with those of a certificate.
   *
   * @throws InvalidNameException if a name cannot be read
   */
  static Attributes add(Attributes given, X509Certificate certificate) throws InvalidNameException {
    Attributes subject = add(given, "Subject", certificate.getSubjectX500Principal());
    return add(subject, "Issuer", certificate.getIssuerX500Principal());
  }

  private static Attributes add(Attributes given, String whose, X500Principal name)
      throws InvalidNameException {
    Attributes all = given;
    for (Rdn each : new LdapName(name.getName(X500Principal.RFC2253, KEYWORDS)).getRdns()) {
      String part = PARTS.get(each.getType().toUpperCase(Locale.ROOT));
      if (part != null && each.getValue() instanceof String text) {
        AttributeName attribute = Attributes.named("Certificate %s %s".formatted(whose, part));
        // Where there may be one only, the last part of the name counts: the most specific.
        all =
            Attributes.isMultiple(attribute)
                ? all.add(attribute, new Value.Text(text))
                : all.set(attribute, new Value.Text(text));
      }
    }
    return all;
  }
}
