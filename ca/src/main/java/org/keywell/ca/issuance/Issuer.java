package org.keywell.ca.issuance;

import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;

/**
 * The issuer's name and key identifier, copied from its certificate octet by octet because path
 * validation compares them.
 */
record Issuer(X500Name name, byte[] keyIdentifier) {

  static Issuer of(X509Certificate certificate) {
    if (certificate.getBasicConstraints() < 0) {
      throw new IssuingKeyException("the issuing certificate is not a CA's");
    }
    try {
      X509CertificateHolder holder = new JcaX509CertificateHolder(certificate);
      SubjectKeyIdentifier identifier = SubjectKeyIdentifier.fromExtensions(holder.getExtensions());
      if (identifier == null) {
        // RFC 5280, section 4.2.1.2, requires it in a CA certificate.
        throw new IssuingKeyException("the issuing certificate has no subject key identifier");
      }
      return new Issuer(holder.getSubject(), identifier.getKeyIdentifier());
    } catch (CertificateEncodingException e) {
      throw new IssuingKeyException("the issuing certificate cannot be read", e);
    }
  }
}
