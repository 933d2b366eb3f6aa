package org.keywell.dss;

import eu.europa.esig.dss.enumerations.CertificateExtensionEnum;
import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.EncryptionAlgorithm;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.spi.CertificateExtensionsUtils;
import eu.europa.esig.dss.spi.validation.RevocationDataVerifier;
import eu.europa.esig.dss.spi.x509.revocation.RevocationToken;
import eu.europa.esig.dss.spi.x509.revocation.crl.CRLToken;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.x509.CertificateList;
import org.bouncycastle.asn1.x509.DistributionPointName;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.IssuingDistributionPoint;

/**
 * DSS's default rules with one more: a CRL counts only for the certificates in its scope (RFC 5280,
 * section 6.3.3). DSS takes any list of an issuer for all of its certificates, but ours has one for
 * each day. Not thread-safe, as what it extends.
 *
 * <p>Certificates that state that there is no revocation to check need none: {@code noRevAvail}
 * (RFC 9608) and ETSI's validity assurance for short-term certificates.
 */
final class RevocationInScope extends RevocationDataVerifier {
  private static final long NO_TOLERANCE = 0;

  RevocationInScope() {
    // DSS's defaults, which it sets only in instances of its own class.
    setAcceptableDigestAlgorithms(
        List.of(
            DigestAlgorithm.SHA224,
            DigestAlgorithm.SHA256,
            DigestAlgorithm.SHA384,
            DigestAlgorithm.SHA512,
            DigestAlgorithm.SHA3_256,
            DigestAlgorithm.SHA3_384,
            DigestAlgorithm.SHA3_512));
    setAcceptableEncryptionAlgorithmKeyLength(
        Map.of(
            EncryptionAlgorithm.DSA, 2048,
            EncryptionAlgorithm.RSA, 1900,
            EncryptionAlgorithm.RSASSA_PSS, 1900,
            EncryptionAlgorithm.ECDSA, 256,
            EncryptionAlgorithm.PLAIN_ECDSA, 256));
    setRevocationSkipCertificateExtensions(
        List.of(
            CertificateExtensionEnum.VALIDITY_ASSURED_SHORT_TERM.getOid(),
            CertificateExtensionEnum.OCSP_NOCHECK.getOid(),
            CertificateExtensionEnum.NO_REVOCATION_AVAILABLE.getOid()));
    setSignatureMaximumRevocationFreshness(NO_TOLERANCE);
    setTimestampMaximumRevocationFreshness(NO_TOLERANCE);
    setRevocationMaximumRevocationFreshness(NO_TOLERANCE);
  }

  @Override
  public boolean isAcceptable(
      RevocationToken<?> revocation,
      CertificateToken issuer,
      List<CertificateToken> chain,
      Date at) {
    return covers(revocation) && super.isAcceptable(revocation, issuer, chain, at);
  }

  /** Whether it says anything about the certificate that DSS has found it for. */
  static boolean covers(RevocationToken<?> revocation) {
    return !(revocation instanceof CRLToken)
        || covers(revocation.getEncoded(), revocation.getRelatedCertificate());
  }

  private static boolean covers(byte[] crl, CertificateToken certificate) {
    Extensions extensions = CertificateList.getInstance(crl).getTBSCertList().getExtensions();
    if (extensions == null) {
      return true;
    }
    if (extensions.getExtension(Extension.deltaCRLIndicator) != null) {
      return false;
    }
    ASN1Encodable scope = extensions.getExtensionParsedValue(Extension.issuingDistributionPoint);
    return scope == null || covers(IssuingDistributionPoint.getInstance(scope), certificate);
  }

  private static boolean covers(IssuingDistributionPoint scope, CertificateToken certificate) {
    boolean ofItsKind =
        certificate.isCA() ? !scope.onlyContainsUserCerts() : !scope.onlyContainsCACerts();
    return ofItsKind
        && !scope.onlyContainsAttributeCerts()
        && !scope.isIndirectCRL()
        && scope.getOnlySomeReasons() == null
        && (scope.getDistributionPoint() == null
            || addresses(scope.getDistributionPoint())
                .anyMatch(CertificateExtensionsUtils.getCRLAccessUrls(certificate)::contains));
  }

  private static Stream<String> addresses(DistributionPointName point) {
    return point.getType() == DistributionPointName.FULL_NAME
        ? Arrays.stream(GeneralNames.getInstance(point.getName()).getNames())
            .filter(name -> name.getTagNo() == GeneralName.uniformResourceIdentifier)
            .map(name -> name.getName().toString())
        : Stream.empty();
  }
}
