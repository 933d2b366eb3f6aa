package org.keywell.dss;

import eu.europa.esig.dss.alert.exception.AlertException;
import eu.europa.esig.dss.alert.status.Status;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.DSSException;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.model.x509.revocation.Revocation;
import eu.europa.esig.dss.pades.validation.PDFDocumentAnalyzer;
import eu.europa.esig.dss.service.crl.OnlineCRLSource;
import eu.europa.esig.dss.service.ocsp.OnlineOCSPSource;
import eu.europa.esig.dss.spi.CertificateExtensionsUtils;
import eu.europa.esig.dss.spi.validation.CertificateVerifier;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.validation.OCSPFirstRevocationDataLoadingStrategy;
import eu.europa.esig.dss.spi.validation.ValidationContext;
import eu.europa.esig.dss.spi.validation.analyzer.DefaultDocumentAnalyzer;
import eu.europa.esig.dss.spi.validation.analyzer.DocumentAnalyzer;
import eu.europa.esig.dss.spi.validation.status.TokenStatus;
import eu.europa.esig.dss.spi.x509.revocation.RevocationSource;
import eu.europa.esig.dss.spi.x509.revocation.RevocationToken;
import java.net.http.HttpClient;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The search for revocation information while one document is extended. DSS only logs why it found
 * none; this keeps the reasons. Not thread-safe.
 */
final class RevocationSearch {
  private final ValidationSources sources;
  private final Map<CertificateToken, String> failures = new LinkedHashMap<>();
  private final CommonCertificateVerifier verifier;

  RevocationSearch(ValidationSources sources, HttpClient http) {
    this.sources = sources;
    RevocationLoader loader = new RevocationLoader(http, sources);
    verifier = DocumentVerification.offline(sources.anchors());
    verifier.setRevocationDataVerifier(new RevocationInScope());
    verifier.setCrlSource(noted(new OnlineCRLSource(loader)));
    verifier.setOcspSource(noted(new OnlineOCSPSource(loader)));
    verifier.setRevocationDataLoadingStrategyFactory(Strategy::new);
    verifier.setAlertOnMissingRevocationData(RevocationSearch::missing);
    verifier.setAlertOnRevokedCertificate(RevocationSearch::revoked);
    // Signers of one document may be at different levels.
    verifier.setAugmentationAlertOnHigherSignatureLevel(null);
  }

  /** Returns DSS's settings, for one extension. */
  CertificateVerifier verifier() {
    return verifier;
  }

  /** Thrown through DSS. */
  private static final class MissingAlert extends AlertException {
    private static final long serialVersionUID = 1L;

    private final transient Collection<CertificateToken> certificates;

    MissingAlert(Collection<CertificateToken> certificates) {
      this.certificates = certificates;
    }
  }

  private static void missing(Status status) {
    throw new MissingAlert(certificates(status).toList());
  }

  private static void revoked(Status status) {
    throw new AlertException(
        "revoked: "
            + certificates(status)
                .map(RevocationSearch::subject)
                .collect(Collectors.joining("; ")));
  }

  private static Stream<CertificateToken> certificates(Status status) {
    return ((TokenStatus) status)
        .getRelatedTokens().stream()
            .filter(CertificateToken.class::isInstance)
            .map(CertificateToken.class::cast);
  }

  /** Returns the exception for what DSS threw. */
  DocumentExtensionException failure(String document, RuntimeException thrown) {
    return thrown instanceof MissingAlert missing
        ? new RevocationMissingException(described(missing.certificates), thrown)
        : new DocumentExtensionException(
            "%s cannot be extended: %s".formatted(document, thrown.getMessage()), thrown);
  }

  /**
   * Finds out whether an extended document has what could not be fetched, from earlier. DSS does
   * not miss it if there is another list of the same issuer.
   *
   * @param password that opens a PDF, or null
   */
  void requireComplete(
      DSSDocument extended, List<DSSDocument> detachedContents, char @Nullable [] password)
      throws RevocationMissingException {
    if (failures.isEmpty()) {
      return;
    }
    CommonCertificateVerifier offline = DocumentVerification.offline(sources.anchors());
    offline.setRevocationDataVerifier(new RevocationInScope());
    DocumentAnalyzer analyzer = DefaultDocumentAnalyzer.fromDocument(extended);
    analyzer.setCertificateVerifier(offline);
    analyzer.setDetachedContents(detachedContents);
    if (analyzer instanceof PDFDocumentAnalyzer pdf) {
      pdf.setPasswordProtection(password);
    }
    ValidationContext found = analyzer.validate();
    List<CertificateToken> without =
        failures.keySet().stream()
            .filter(certificate ->
                found.getRevocationData(certificate).stream().noneMatch(RevocationInScope::covers))
            .toList();
    if (!without.isEmpty()) {
      throw new RevocationMissingException(described(without), null);
    }
  }

  private List<MissingRevocation> described(Collection<CertificateToken> certificates) {
    return certificates.stream()
        .map(this::described)
        .sorted(Comparator.comparing(MissingRevocation::certificate))
        .toList();
  }

  private MissingRevocation described(CertificateToken certificate) {
    return new MissingRevocation(
        subject(certificate),
        Stream.of(
                CertificateExtensionsUtils.getOCSPAccessUrls(certificate),
                CertificateExtensionsUtils.getCRLAccessUrls(certificate))
            .flatMap(List::stream)
            .toList(),
        failures.getOrDefault(certificate, "its chain leads to no trust anchor"));
  }

  private static String subject(CertificateToken certificate) {
    return certificate.getSubject().getRFC2253();
  }

  private <R extends Revocation> RevocationSource<R> noted(RevocationSource<R> source) {
    return (certificate, issuer) -> {
      try {
        return source.getRevocationToken(certificate, issuer);
      } catch (DSSException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        failures.put(certificate, String.valueOf(cause.getMessage()));
        throw e;
      }
    };
  }

  private final class Strategy extends OCSPFirstRevocationDataLoadingStrategy {

    @Override
    @SuppressWarnings("rawtypes")
    public RevocationToken getRevocationToken(
        CertificateToken certificate, CertificateToken issuer) {
      RevocationToken found = super.getRevocationToken(certificate, issuer);
      if (found != null) {
        failures.remove(certificate);
      } else {
        failures.putIfAbsent(certificate, "it names no list and no OCSP responder");
      }
      return found;
    }

    @Override
    protected boolean isAcceptableToken(RevocationToken<?> found) {
      String objection = objection(found);
      if (objection != null) {
        failures.put(Objects.requireNonNull(found.getRelatedCertificate()), objection);
      }
      return objection == null;
    }

    /** Returns why it does not count, or null if it does. */
    private @Nullable String objection(RevocationToken<?> found) {
      if (!RevocationInScope.covers(found)) {
        return "the list is not about this certificate";
      }
      CertificateToken certificate = Objects.requireNonNull(found.getRelatedCertificate());
      if (found.getThisUpdate() != null
          && found.getThisUpdate().toInstant().isBefore(certificate.getNotBefore().toInstant())) {
        return "the list of %s is older than the certificate"
            .formatted(found.getThisUpdate().toInstant());
      }
      if (found.getNextUpdate() != null
          && found.getNextUpdate().toInstant().isBefore(Instant.now())) {
        return "it expired at %s".formatted(found.getNextUpdate().toInstant());
      }
      if (super.isAcceptableToken(found)) {
        return null;
      }
      return found.isValid()
          ? "whether its issuer was revoked is not known"
          : "the certificate's issuer has not signed it";
    }
  }
}
