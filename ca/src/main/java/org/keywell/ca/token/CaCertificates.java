package org.keywell.ca.token;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.SecureRandom;
import java.security.SignatureException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.ocsp.OCSPObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.RuntimeOperatorException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCS10CertificationRequestBuilder;
import org.bouncycastle.pkcs.PKCSException;
import org.jspecify.annotations.Nullable;
import org.keywell.ca.ServerNames;
import org.keywell.ca.Subject;
import org.keywell.ca.issuance.AlternativeNames;
import org.keywell.ca.issuance.CrlPointer;
import org.keywell.ca.issuance.DistinguishedNames;
import org.keywell.ca.issuance.KeyIdentifiers;
import org.keywell.ca.issuance.SerialNumbers;
import org.keywell.ca.revocation.CrlShard;

/**
 * Builds the CA's own certificates and certification request (RFC 5280, section 4; RFC 2986).
 * Verifies each before use: a token that signs wrongly must not keep a key that can never be
 * certified.
 */
final class CaCertificates {
  /** Lets relying parties with slow clocks accept a newly created CA. */
  private static final Duration BACKDATE = Duration.ofMinutes(5);

  private static final Duration PLACEHOLDER_VALIDITY = Duration.ofDays(365);

  private final SerialNumbers serialNumbers;
  private final Optional<URI> lists;

  /**
   * @param lists where the CA's own lists of revoked certificates are published; empty: the
   *     certificates name none
   */
  CaCertificates(SecureRandom random, Optional<URI> lists) {
    this.serialNumbers = new SerialNumbers(random);
    this.lists = lists;
  }

  X509Certificate root(CaKey key, Subject name, Instant now, Duration validity) {
    X500Name self = DistinguishedNames.of(name);
    Instant end = now.plus(validity);
    return sign(
        builder(self, self, key, now.minus(BACKDATE), end),
        authority(key, new BasicConstraints(true), KeyIdentifiers.of(key.info())),
        key);
  }

  /** Issues a certificate for a CA that certifies only end entities and never outlives its root. */
  X509Certificate issuing(
      CaKey key,
      X500Name name,
      CaKey rootKey,
      X509Certificate root,
      Instant now,
      Duration validity) {
    return below(key, name, new BasicConstraints(0), rootKey, root, now, now.plus(validity));
  }

  /**
   * Certifies a new root by the one before it (RFC 4949, "cross-certificate"), for verifiers that
   * know only that one. Outlives neither.
   */
  X509Certificate cross(
      CaKey key, X509Certificate ofKey, CaKey formerKey, X509Certificate former, Instant now) {
    return below(
        key,
        nameOf(ofKey),
        new BasicConstraints(true),
        formerKey,
        former,
        now,
        ofKey.getNotAfter().toInstant());
  }

  private X509Certificate below(
      CaKey key,
      X500Name name,
      BasicConstraints constraints,
      CaKey rootKey,
      X509Certificate root,
      Instant now,
      Instant latest) {
    Instant start = later(now.minus(BACKDATE), root.getNotBefore().toInstant());
    Instant end = earlier(latest, root.getNotAfter().toInstant());
    byte[] ofRoot = keyIdentifier(root);
    ExtensionsGenerator extensions = authority(key, constraints, ofRoot);
    name(CrlShard.ofAuthorities(ofRoot), extensions);
    return sign(builder(nameOf(root), name, key, start, end), extensions, rootKey);
  }

  static X500Name nameOf(X509Certificate certificate) {
    return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
  }

  /** Issues a certificate for one use alone, which never outlives its issuer. */
  X509Certificate service(
      ServiceUse use,
      CaKey key,
      Subject name,
      CaKey issuingKey,
      X509Certificate issuing,
      Instant now,
      Duration validity) {
    Instant start = later(now.minus(BACKDATE), issuing.getNotBefore().toInstant());
    Instant end = earlier(later(now, start).plus(validity), issuing.getNotAfter().toInstant());
    ExtensionsGenerator extensions = new ExtensionsGenerator();
    try {
      extensions.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      extensions.addExtension(
          Extension.extendedKeyUsage, use.isCritical(), new ExtendedKeyUsage(use.purpose()));
      if (!use.isListed()) {
        extensions.addExtension(
            OCSPObjectIdentifiers.id_pkix_ocsp_nocheck, false, DERNull.INSTANCE);
      }
      extensions.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new SubjectKeyIdentifier(KeyIdentifiers.of(key.info())));
      extensions.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new AuthorityKeyIdentifier(keyIdentifier(issuing)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (use.isListed()) {
      name(CrlShard.ofServices(keyIdentifier(issuing)), extensions);
    }
    return sign(
        builder(nameOf(issuing), DistinguishedNames.of(name), key, start, end),
        extensions,
        issuingKey);
  }

  private void name(CrlShard list, ExtensionsGenerator in) {
    lists.ifPresent(base -> in.addExtension(CrlPointer.naming(list.within(base))));
  }

  private static byte[] keyIdentifier(X509Certificate certificate) {
    byte[] extension = certificate.getExtensionValue(Extension.subjectKeyIdentifier.getId());
    return SubjectKeyIdentifier.getInstance(ASN1OctetString.getInstance(extension).getOctets())
        .getKeyIdentifier();
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }

  private static Instant later(Instant a, Instant b) {
    return a.isBefore(b) ? b : a;
  }

  /** Not a CA certificate: it only lets the token keep the key until the real one arrives. */
  X509Certificate placeholder(CaKey key, Subject name, Instant now) {
    X500Name self = DistinguishedNames.of(name);
    return sign(
        builder(self, self, key, now, now.plus(PLACEHOLDER_VALIDITY)),
        new ExtensionsGenerator(),
        key);
  }

  /** Returns a PKCS#10 request with the extensions that the certificate is expected to have. */
  PKCS10CertificationRequest request(CaKey key, Subject name) {
    ExtensionsGenerator wanted = new ExtensionsGenerator();
    addAuthority(wanted, key, new BasicConstraints(0));
    return request(key, DistinguishedNames.of(name), wanted);
  }

  /** Returns a PKCS#10 request with an empty subject, for a server's certificate. */
  PKCS10CertificationRequest request(CaKey key, ServerNames names) {
    ExtensionsGenerator wanted = new ExtensionsGenerator();
    wanted.addExtension(AlternativeNames.of(names));
    return request(key, new X500Name(new RDN[0]), wanted);
  }

  private static PKCS10CertificationRequest request(
      CaKey key, X500Name subject, ExtensionsGenerator wanted) {
    try {
      PKCS10CertificationRequest request =
          new PKCS10CertificationRequestBuilder(subject, key.info())
              .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, wanted.generate())
              .build(key.signer());
      if (!request.isSignatureValid(
          new JcaContentVerifierProviderBuilder().build(key.publicKey()))) {
        throw signedWrongly(null);
      }
      return request;
    } catch (RuntimeOperatorException e) {
      throw new CaTokenException(CaTokenException.Reason.FAILED, "the key did not sign", e);
    } catch (OperatorCreationException | PKCSException e) {
      throw signedWrongly(e);
    }
  }

  private X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, CaKey key, Instant start, Instant end) {
    return new X509v3CertificateBuilder(
        issuer, serialNumbers.next(), date(start), date(end), subject, key.info());
  }

  private static Date date(Instant instant) {
    return Date.from(instant.truncatedTo(ChronoUnit.SECONDS));
  }

  private static ExtensionsGenerator authority(
      CaKey key, BasicConstraints constraints, byte[] issuerKeyIdentifier) {
    ExtensionsGenerator extensions = new ExtensionsGenerator();
    addAuthority(extensions, key, constraints);
    try {
      extensions.addExtension(
          Extension.authorityKeyIdentifier, false, new AuthorityKeyIdentifier(issuerKeyIdentifier));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return extensions;
  }

  private static void addAuthority(
      ExtensionsGenerator to, CaKey key, BasicConstraints constraints) {
    try {
      to.addExtension(Extension.basicConstraints, true, constraints);
      to.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      to.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new SubjectKeyIdentifier(KeyIdentifiers.of(key.info())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static X509Certificate sign(
      X509v3CertificateBuilder builder, ExtensionsGenerator extensions, CaKey key) {
    try {
      if (!extensions.isEmpty()) {
        for (var id : extensions.generate().getExtensionOIDs()) {
          builder.addExtension(extensions.getExtension(id));
        }
      }
      X509Certificate certificate =
          new JcaX509CertificateConverter().getCertificate(builder.build(key.signer()));
      certificate.verify(key.publicKey());
      return certificate;
    } catch (SignatureException | InvalidKeyException e) {
      throw signedWrongly(e);
    } catch (IOException | GeneralSecurityException | RuntimeOperatorException e) {
      throw new CaTokenException(
          CaTokenException.Reason.FAILED, "a CA certificate cannot be made", e);
    }
  }

  private static CaTokenException signedWrongly(@Nullable Exception cause) {
    return new CaTokenException(
        CaTokenException.Reason.FAILED, "what the CA key signed does not verify", cause);
  }
}
