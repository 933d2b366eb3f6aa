package org.keywell.protection;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.cms.IssuerAndSerialNumber;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;

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
        && parsed(certificate).getSubjectPublicKeyInfo().getAlgorithm().getParameters()
            instanceof ASN1ObjectIdentifier curve
        && CURVES.contains(curve);
  }

  /** The certificate's issuer, byte for byte, and serial number. */
  static byte[] issuerAndSerial(X509Certificate certificate) {
    return Der.write(new IssuerAndSerialNumber(parsed(certificate)));
  }

  /** The certificate's subject key identifier; empty if it has none. */
  static byte[] keyIdentifier(X509Certificate certificate) {
    Extensions extensions = parsed(certificate).getTBSCertificate().getExtensions();
    Extension extension =
        extensions == null ? null : extensions.getExtension(Extension.subjectKeyIdentifier);
    return extension == null
        ? new byte[0]
        : SubjectKeyIdentifier.getInstance(
                ASN1OctetString.getInstance(extension.getExtnValue().getOctets()))
            .getKeyIdentifier();
  }

  static byte[] subject(X509Certificate certificate) {
    return Der.write(parsed(certificate).getSubject());
  }

  static byte[] issuer(X509Certificate certificate) {
    return Der.write(parsed(certificate).getIssuer());
  }

  static Certificate parsed(X509Certificate certificate) {
    try {
      return Certificate.getInstance(certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate without an encoding", e);
    }
  }
}
