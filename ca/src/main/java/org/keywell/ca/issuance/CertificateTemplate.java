package org.keywell.ca.issuance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Integer;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.asn1.x509.TBSCertificate;
import org.bouncycastle.asn1.x509.V3TBSCertificateGenerator;
import org.bouncycastle.asn1.x509.Validity;

/** Builds certificates of one issuer and profile by filling in what varies. Thread-safe. */
final class CertificateTemplate {
  private final X500Name issuer;
  private final AlgorithmIdentifier signatureAlgorithm;
  private final List<Extension> shared;

  CertificateTemplate(
      X500Name issuer, AlgorithmIdentifier signatureAlgorithm, List<Extension> shared) {
    this.issuer = issuer;
    this.signatureAlgorithm = signatureAlgorithm;
    this.shared = List.copyOf(shared);
  }

  /**
   * @param own extensions specific to this certificate
   */
  TBSCertificate fill(
      BigInteger serial, Validity validity, X500Name subject, SubjectKey key, List<Extension> own) {
    V3TBSCertificateGenerator generator = new V3TBSCertificateGenerator();
    generator.setSerialNumber(new ASN1Integer(serial));
    generator.setSignature(signatureAlgorithm);
    generator.setIssuer(issuer);
    generator.setValidity(validity);
    generator.setSubject(subject);
    generator.setSubjectPublicKeyInfo(key.info());
    generator.setExtensions(extensions(key, own));
    return generator.generateTBSCertificate();
  }

  private Extensions extensions(SubjectKey key, List<Extension> own) {
    try {
      List<Extension> extensions = new ArrayList<>(shared.size() + own.size() + 1);
      SubjectKeyIdentifier identifier = new SubjectKeyIdentifier(KeyIdentifiers.of(key.info()));
      extensions.add(
          new Extension(
              Extension.subjectKeyIdentifier, false, new DEROctetString(identifier.getEncoded())));
      extensions.addAll(shared);
      extensions.addAll(own);
      return new Extensions(extensions.toArray(Extension[]::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
