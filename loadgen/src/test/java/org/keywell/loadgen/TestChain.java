package org.keywell.loadgen;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A root of the test's own that certifies a fresh EC key for each signature. */
public final class TestChain {
  private static final String ROOT_NAME = "CN=Test Root";

  /** A signature and the certificate of the key that made it. */
  public record Signed(byte[] signature, byte[] certificateDer) {}

  private final KeyPair rootKey;
  private final X509Certificate root;
  private final AtomicLong serial = new AtomicLong(1);

  private TestChain(KeyPair rootKey) throws Exception {
    this.rootKey = rootKey;
    this.root = certificate(ROOT_NAME, rootKey.getPublic(), rootKey.getPrivate(), true);
  }

  public static TestChain make() throws Exception {
    return new TestChain(newKey());
  }

  public X509Certificate root() {
    return root;
  }

  byte[] rootDer() throws Exception {
    return root.getEncoded();
  }

  String pem() {
    try {
      return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
          .formatted(Base64.getMimeEncoder().encodeToString(root.getEncoded()));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Signs a SHA-256 digest with a key that is used for nothing else. */
  public Signed sign(byte[] digest) throws Exception {
    KeyPair key = newKey();
    return new Signed(
        sign(key.getPrivate(), digest),
        certificate("CN=Signer", key.getPublic(), rootKey.getPrivate(), false).getEncoded());
  }

  private static byte[] sign(PrivateKey key, byte[] digest) throws Exception {
    Signature signer = Signature.getInstance("NONEwithECDSA");
    signer.initSign(key);
    signer.update(digest);
    return signer.sign();
  }

  private static KeyPair newKey() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(256);
    return generator.generateKeyPair();
  }

  private X509Certificate certificate(
      String subject, PublicKey key, PrivateKey issuer, boolean authority) throws Exception {
    Instant now = Instant.now();
    JcaX509v3CertificateBuilder builder =
        new JcaX509v3CertificateBuilder(
            new X500Name(ROOT_NAME),
            BigInteger.valueOf(serial.incrementAndGet()),
            Date.from(now.minus(Duration.ofHours(1))),
            Date.from(now.plus(Duration.ofHours(1))),
            new X500Name(subject),
            key);
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
    builder.addExtension(
        Extension.keyUsage,
        true,
        new KeyUsage(authority ? KeyUsage.keyCertSign : KeyUsage.nonRepudiation));
    return new JcaX509CertificateConverter()
        .getCertificate(
            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(issuer)));
  }
}
