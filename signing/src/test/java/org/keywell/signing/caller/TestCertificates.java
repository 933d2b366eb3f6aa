package org.keywell.signing.caller;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Clients' certificates; who issued them does not matter to who looks up their callers. */
final class TestCertificates {

  private TestCertificates() {}

  static X509Certificate of(String subject, GeneralName... alternativeNames) throws Exception {
    return of(X500Name.getInstance(new X500Principal(subject).getEncoded()), alternativeNames);
  }

  /** With a subject whose encoding the test chooses. */
  static X509Certificate of(X500Name name, GeneralName... alternativeNames) throws Exception {
    KeyPair keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
    Instant now = Instant.now();
    X509v3CertificateBuilder builder =
        new X509v3CertificateBuilder(
            new X500Name("CN=issuer"),
            BigInteger.ONE,
            Date.from(now),
            Date.from(now.plusSeconds(3600)),
            name,
            SubjectPublicKeyInfo.getInstance(keys.getPublic().getEncoded()));
    if (alternativeNames.length > 0) {
      builder.addExtension(
          Extension.subjectAlternativeName, false, new GeneralNames(alternativeNames));
    }
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate())));
  }

  static GeneralName dns(String name) {
    return new GeneralName(GeneralName.dNSName, name);
  }

  static GeneralName uri(String uri) {
    return new GeneralName(GeneralName.uniformResourceIdentifier, uri);
  }
}
