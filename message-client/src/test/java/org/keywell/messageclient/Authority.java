package org.keywell.messageclient;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Certifies the keys of a test's parties, valid for a day from {@link #NOW}. */
final class Authority {

  static final Instant NOW = Instant.parse("2026-11-27T00:30:00Z");

  private final String name;
  private final KeyPair pair = pair();
  private final X509Certificate certificate;
  private long serial = 1;

  Authority(String name) throws Exception {
    this.name = name;
    this.certificate = issue(name, pair, true, KeyUsage.keyCertSign);
  }

  X509Certificate certificate() {
    return certificate;
  }

  X509Certificate certify(String subject, KeyPair key) throws Exception {
    return issue(subject, key, false, KeyUsage.digitalSignature | KeyUsage.keyEncipherment);
  }

  /** For what a person signs, as the service certifies its one-time keys. */
  X509Certificate certifySigner(String subject, KeyPair key) throws Exception {
    return issue(subject, key, false, KeyUsage.nonRepudiation);
  }

  static KeyPair pair() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  private X509Certificate issue(String subject, KeyPair key, boolean authority, int usage)
      throws Exception {
    X509v3CertificateBuilder builder =
        new X509v3CertificateBuilder(
                new X500Name("CN=" + name),
                BigInteger.valueOf(serial++),
                Date.from(NOW.minus(Duration.ofHours(1))),
                Date.from(NOW.plus(Duration.ofDays(1))),
                new X500Name("CN=" + subject),
                SubjectPublicKeyInfo.getInstance(key.getPublic().getEncoded()))
            .addExtension(Extension.basicConstraints, true, new BasicConstraints(authority))
            .addExtension(Extension.keyUsage, true, new KeyUsage(usage));
    byte[] der =
        builder
            .build(new JcaContentSignerBuilder("SHA256withRSA").build(pair.getPrivate()))
            .getEncoded();
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }
}
