package org.keywell.protection;

import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;

/** Which certificates messages are signed or encrypted with, and how CMS names them. */
final class Certificates {

  private static final int DIGITAL_SIGNATURE = 0;
  private static final int NON_REPUDIATION = 1;
  private static final int KEY_ENCIPHERMENT = 2;

  private static final Set<ASN1ObjectIdentifier> CURVES =
      Set.of(
          SECObjectIdentifiers.secp256r1,
          SECObjectIdentifiers.secp384r1,
          SECObjectIdentifiers.secp521r1);

  private Certificates() {}

  /** RFC 8550, section 4.4.2: a certificate that does not restrict its usage may sign. */
  static boolean signs(X509Certificate certificate) {
    boolean[] usage = certificate.getKeyUsage();
    return (usage == null || usage[DIGITAL_SIGNATURE] || usage[NON_REPUDIATION])
        && (rsa(certificate) || curve(certificate));
  }

  static boolean enciphers(X509Certificate certificate) {
    boolean[] usage = certificate.getKeyUsage();
    return (usage == null || usage[KEY_ENCIPHERMENT]) && rsa(certificate);
  }

  static String algorithm(X509Certificate certificate) {
    return certificate.getPublicKey().getAlgorithm();
  }

  /** The upper bounds keep a stranger's certificate from costing more than a signature should. */
  private static boolean rsa(X509Certificate certificate) {
    return certificate.getPublicKey() instanceof RSAPublicKey key
        && key.getAlgorithm().equals("RSA")
        && key.getModulus().bitLength() >= 2048
        && key.getModulus().bitLength() <= 8192
        && key.getPublicExponent().bitLength() <= 64;
  }

  private static boolean curve(X509Certificate certificate) {
    return algorithm(certificate).equals("EC")
        && SubjectPublicKeyInfo.getInstance(certificate.getPublicKey().getEncoded())
                .getAlgorithm()
                .getParameters()
            instanceof ASN1ObjectIdentifier curve
        && CURVES.contains(curve);
  }

  /** The certificate's issuer and serial number. */
  static IssuerAndSerialNumber name(X509Certificate certificate) {
    return new IssuerAndSerialNumber(
        X500Name.getInstance(certificate.getIssuerX500Principal().getEncoded()),
        certificate.getSerialNumber());
  }

  /** The certificate's subject key identifier; empty if it has none that can be read. */
  static byte[] keyIdentifier(X509Certificate certificate) {
    byte[] extension = certificate.getExtensionValue(Extension.subjectKeyIdentifier.getId());
    try {
      return extension == null
          ? new byte[0]
          : Fields.octets(Der.read(Fields.octets(Der.read(extension))));
    } catch (ProtectionException e) {
      return new byte[0];
    }
  }
}
