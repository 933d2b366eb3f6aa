package org.keywell.ca.standin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Makes certificates that name lists of revoked ones, with keys on P-256. */
final class CertificateMaker {
  private static final String ECDSA = "SHA256withECDSA";

  private final SecureRandom random = new SecureRandom();
  private final Instant start;
  private final Instant end;

  CertificateMaker(Instant start, Instant end) {
    this.start = start;
    this.end = end;
  }

  static Provider provider() {
    return Objects.requireNonNull(Security.getProvider("SunEC"));
  }

  static KeyPair key() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC", provider());
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static byte[] sign(KeyPair key, byte[] message) {
    try {
      Signature signature = Signature.getInstance(ECDSA, provider());
      signature.initSign(key.getPrivate());
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  X509Certificate root(KeyPair key) {
    X500Name name = new X500Name("CN=Published Root " + random.nextInt(1_000_000) + ",C=SE");
    return make(
        builder(name, name, key, start, end),
        key,
        extensions -> {
          extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
          extensions.addExtension(
              Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
          identify(extensions, key, key);
        });
  }

  X509Certificate issuing(KeyPair key, KeyPair rootKey, X509Certificate root, URI list) {
    X500Name name = new X500Name("CN=Published Issuing,C=SE");
    return make(
        builder(subject(root), name, key, start, end),
        rootKey,
        extensions -> {
          extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
          extensions.addExtension(
              Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
          identify(extensions, key, rootKey);
          extensions.addExtension(Extension.cRLDistributionPoints, false, points(list));
        });
  }

  X509Certificate timeStamping(
      KeyPair key,
      KeyPair issuingKey,
      X509Certificate issuing,
      Instant since,
      Instant until,
      URI list) {
    X500Name name = new X500Name("CN=Published Time Stamps,C=SE");
    return make(
        builder(subject(issuing), name, key, since, until),
        issuingKey,
        extensions -> {
          extensions.addExtension(
              Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
          extensions.addExtension(
              Extension.extendedKeyUsage,
              true,
              new ExtendedKeyUsage(KeyPurposeId.id_kp_timeStamping));
          identify(extensions, key, issuingKey);
          extensions.addExtension(Extension.cRLDistributionPoints, false, points(list));
        });
  }

  /** Returns an empty list for all certificates of an issuer. */
  byte[] list(X509Certificate issuer, KeyPair issuerKey, int number, Instant made) {
    try {
      X509v2CRLBuilder builder = new X509v2CRLBuilder(subject(issuer), Date.from(made));
      builder.setNextUpdate(Date.from(made.plus(Duration.ofDays(30))));
      builder.addExtension(Extension.cRLNumber, false, new CRLNumber(BigInteger.valueOf(number)));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new AuthorityKeyIdentifier(KeyIds.of(issuerKey)));
      return builder.build(signer(issuerKey)).getEncoded();
    } catch (IOException | OperatorCreationException e) {
      throw new AssertionError(e);
    }
  }

  private interface Extensions {
    void addTo(X509v3CertificateBuilder builder) throws IOException;
  }

  private static void identify(X509v3CertificateBuilder builder, KeyPair key, KeyPair issuerKey)
      throws IOException {
    builder.addExtension(
        Extension.subjectKeyIdentifier, false, new SubjectKeyIdentifier(KeyIds.of(key)));
    builder.addExtension(
        Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(KeyIds.of(issuerKey)));
  }

  private static CRLDistPoint points(URI list) {
    GeneralName name = new GeneralName(GeneralName.uniformResourceIdentifier, list.toString());
    return new CRLDistPoint(
        new DistributionPoint[] {
          new DistributionPoint(new DistributionPointName(new GeneralNames(name)), null, null)
        });
  }

  private static X500Name subject(X509Certificate certificate) {
    return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
  }

  private X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, KeyPair key, Instant since, Instant until) {
    return new X509v3CertificateBuilder(
        issuer,
        new BigInteger(127, random),
        Date.from(since),
        Date.from(until),
        subject,
        SubjectPublicKeyInfo.getInstance(key.getPublic().getEncoded()));
  }

  private static X509Certificate make(
      X509v3CertificateBuilder builder, KeyPair issuerKey, Extensions extensions) {
    try {
      extensions.addTo(builder);
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer(issuerKey)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new AssertionError(e);
    }
  }

  private static ContentSigner signer(KeyPair key) throws OperatorCreationException {
    return new JcaContentSignerBuilder(ECDSA).setProvider(provider()).build(key.getPrivate());
  }
}
