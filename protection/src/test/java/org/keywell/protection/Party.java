package org.keywell.protection;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Who sends or receives: a key, and certificates up to an issuer. */
record Party(PrivateKey key, List<X509Certificate> chain) {

  static final int BOTH = KeyUsage.digitalSignature | KeyUsage.keyEncipherment;

  private static final AtomicLong SERIAL = new AtomicLong(1000);

  static Party rsa(String name) {
    return rsa(name, 2048, BOTH);
  }

  /** With a usage of 0, the certificate does not restrict it. */
  static Party rsa(String name, int bits, int usage) {
    return of(name, pair("RSA", bits), usage);
  }

  static Party ec(String name, String curve) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(curve));
      return of(name, generator.generateKeyPair(), KeyUsage.digitalSignature);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static KeyPair pair(String algorithm, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  static Party of(String name, KeyPair pair, int usage) {
    return new Party(
        pair.getPrivate(),
        List.of(
            certify(
                name, SERIAL.getAndIncrement(), pair.getPublic(), usage, name, pair.getPrivate())));
  }

  static X509Certificate certify(
      String name, long serial, PublicKey key, int usage, String issuer, PrivateKey issuerKey) {
    try {
      Instant now = Instant.now();
      X509v3CertificateBuilder builder =
          new X509v3CertificateBuilder(
              new X500Name("CN=" + issuer),
              BigInteger.valueOf(serial),
              Date.from(now.minus(Duration.ofHours(1))),
              Date.from(now.plus(Duration.ofDays(1))),
              new X500Name("CN=" + name),
              SubjectPublicKeyInfo.getInstance(key.getEncoded()));
      if (usage != 0) {
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
      }
      String algorithm =
          issuerKey.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
      byte[] der =
          builder.build(new JcaContentSignerBuilder(algorithm).build(issuerKey)).getEncoded();
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new java.io.ByteArrayInputStream(der));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  X509Certificate certificate() {
    return chain.get(0);
  }

  KeySigner signer() {
    return signer(
        key.getAlgorithm().equals("EC")
            ? SignatureScheme.ECDSA
            : SignatureScheme.RSASSA_PKCS1_V1_5);
  }

  KeySigner signer(SignatureScheme scheme) {
    return new KeySigner(scheme, key, chain);
  }
}
