package org.keywell.service.caller;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Clients' certificates; who issued them does not matter to who looks up their callers. */
final class TestCertificates {

  private TestCertificates() {}

  static X509Certificate of(String subject, GeneralName... alternativeNames) throws Exception {
    KeyPair keys = KeyPairGenerator.getInstance("EC").generateKeyPair();
    X500Principal name = new X500Principal(subject);
    Instant now = Instant.now();
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            name,
            BigInteger.ONE,
            Date.from(now),
            Date.from(now.plusSeconds(3600)),
            name,
            keys.getPublic());
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
