package org.keywell.ca.issuance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1EncodableVector;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.CRLDistPoint;
import org.bouncycastle.asn1.x509.CertificatePolicies;
import org.bouncycastle.asn1.x509.DistributionPoint;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.PolicyInformation;
import org.bouncycastle.asn1.x509.PolicyQualifierInfo;
import org.keywell.ca.CertificateProfile;

/**
 * The extensions that all certificates of a profile share, encoded once. BasicConstraints is
 * absent; RFC 5280, section 4.2.1.9, allows that in an end entity's certificate.
 */
final class ProfileExtensions {
  /** ETSI EN 319 412-1, clause 5.2.2: id-etsi-ext-valassured-ST-certs. */
  private static final ASN1ObjectIdentifier VALIDITY_ASSURED_SHORT_TERM =
      new ASN1ObjectIdentifier("0.4.0.194121.2.1");

  private ProfileExtensions() {}

  /**
   * @param issuerKeyIdentifier the issuer's subject key identifier
   * @param responders where the CA answers OCSP requests itself; ends with a slash
   */
  static List<Extension> of(
      CertificateProfile profile, byte[] issuerKeyIdentifier, Optional<URI> responders) {
    List<Extension> extensions = new ArrayList<>();
    add(
        extensions,
        Extension.authorityKeyIdentifier,
        false,
        new AuthorityKeyIdentifier(issuerKeyIdentifier));
    add(extensions, Extension.keyUsage, true, keyUsage(profile));
    if (!profile.extendedKeyUsage().isEmpty()) {
      add(extensions, Extension.extendedKeyUsage, false, extendedKeyUsage(profile));
    }
    if (!profile.policies().isEmpty()) {
      add(extensions, Extension.certificatePolicies, false, policies(profile));
    }
    if (!profile.crlUris().isEmpty()) {
      add(extensions, Extension.cRLDistributionPoints, false, crlUris(profile));
    }
    List<URI> ocsp = ocsp(profile, issuerKeyIdentifier, responders);
    if (!ocsp.isEmpty() || !profile.caIssuersUris().isEmpty()) {
      add(
          extensions,
          Extension.authorityInfoAccess,
          false,
          authorityInformation(ocsp, profile.caIssuersUris()));
    }
    if (profile.noRevocationAvailable()) {
      add(extensions, Extension.noRevAvail, false, DERNull.INSTANCE);
    }
    if (profile.validityAssuredShortTerm()) {
      add(extensions, VALIDITY_ASSURED_SHORT_TERM, false, DERNull.INSTANCE);
    }
    if (!profile.qcStatements().isEmpty()) {
      add(
          extensions,
          Extension.qCStatements,
          false,
          QcStatementsExtension.of(profile.qcStatements()));
    }
    return List.copyOf(extensions);
  }

  private static void add(
      List<Extension> to, ASN1ObjectIdentifier id, boolean critical, ASN1Encodable value) {
    try {
      to.add(new Extension(id, critical, value.toASN1Primitive().getEncoded("DER")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KeyUsage keyUsage(CertificateProfile profile) {
    int bits = 0;
    for (CertificateProfile.KeyUsage usage : profile.keyUsage()) {
      bits |=
          switch (usage) {
            case DIGITAL_SIGNATURE -> KeyUsage.digitalSignature;
            case CONTENT_COMMITMENT -> KeyUsage.nonRepudiation;
          };
    }
    return new KeyUsage(bits);
  }

  private static ExtendedKeyUsage extendedKeyUsage(CertificateProfile profile) {
    return new ExtendedKeyUsage(
        profile.extendedKeyUsage().stream()
            .map(id -> KeyPurposeId.getInstance(new ASN1ObjectIdentifier(id)))
            .toArray(KeyPurposeId[]::new));
  }

  private static CertificatePolicies policies(CertificateProfile profile) {
    List<PolicyInformation> policies = new ArrayList<>();
    for (String policy : profile.policies()) {
      ASN1ObjectIdentifier id = new ASN1ObjectIdentifier(policy);
      policies.add(
          policies.isEmpty() && profile.cpsUri().isPresent()
              ? new PolicyInformation(
                  id,
                  new DERSequence(
                      new PolicyQualifierInfo(profile.cpsUri().orElseThrow().toString())))
              : new PolicyInformation(id));
    }
    return new CertificatePolicies(policies.toArray(PolicyInformation[]::new));
  }

  /** One distribution point with several names: the same CRL at several locations. */
  private static CRLDistPoint crlUris(CertificateProfile profile) {
    GeneralName[] names =
        profile.crlUris().stream().map(ProfileExtensions::name).toArray(GeneralName[]::new);
    DistributionPoint point =
        new DistributionPoint(new DistributionPointName(new GeneralNames(names)), null, null);
    return new CRLDistPoint(new DistributionPoint[] {point});
  }

  /** A profile's own responders replace the CA's. */
  private static List<URI> ocsp(
      CertificateProfile profile, byte[] issuerKeyIdentifier, Optional<URI> responders) {
    return profile.crlsByDay() && profile.ocspUris().isEmpty()
        ? responders.stream()
            .map(base -> base.resolve(HexFormat.of().formatHex(issuerKeyIdentifier)))
            .toList()
        : profile.ocspUris();
  }

  private static AuthorityInformationAccess authorityInformation(
      List<URI> ocsp, List<URI> caIssuers) {
    ASN1EncodableVector descriptions = new ASN1EncodableVector();
    for (URI uri : ocsp) {
      descriptions.add(new AccessDescription(AccessDescription.id_ad_ocsp, name(uri)));
    }
    for (URI uri : caIssuers) {
      descriptions.add(new AccessDescription(AccessDescription.id_ad_caIssuers, name(uri)));
    }
    return AuthorityInformationAccess.getInstance(new DERSequence(descriptions));
  }

  private static GeneralName name(URI uri) {
    return new GeneralName(GeneralName.uniformResourceIdentifier, uri.toString());
  }
}
