package org.keywell.dss;

import eu.europa.esig.dss.enumerations.SubIndication;
import eu.europa.esig.dss.jaxb.object.Message;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.pades.validation.PDFDocumentValidator;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.spi.signature.AdvancedSignature;
import eu.europa.esig.dss.spi.validation.CertificateVerifier;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.CommonTrustedCertificateSource;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Verifies signed documents with EU DSS and its default policy (ETSI EN 319 102-1), under given
 * trust anchors. Fetches nothing: no trusted lists, certificates or revocation information.
 * Thread-safe.
 */
public final class DocumentVerification {
  private final CertificateVerifier verifier;

  private DocumentVerification(CertificateVerifier verifier) {
    this.verifier = verifier;
  }

  /**
   * Creates a verification that trusts only these anchors.
   *
   * @param anchors roots of signers and, from level T on, of time stamp authorities
   */
  public static DocumentVerification trusting(List<X509Certificate> anchors) {
    CmsService.choose();
    return new DocumentVerification(offline(anchors));
  }

  /** Returns what trusts these anchors and fetches nothing. */
  static CommonCertificateVerifier offline(List<X509Certificate> anchors) {
    CommonTrustedCertificateSource trusted = new CommonTrustedCertificateSource();
    anchors.forEach(anchor -> trusted.addCertificate(new CertificateToken(anchor)));
    CommonCertificateVerifier verifier = new CommonCertificateVerifier(true);
    verifier.setTrustedCertSources(trusted);
    return verifier;
  }

  /** Verifies all signatures of a document that contains its content. */
  public VerifiedDocument verify(Document signed) {
    return verify(signed, List.of());
  }

  /**
   * Verifies all signatures of a document.
   *
   * @param detachedContents the signed content, if the signed document does not contain it
   * @return without signatures if it cannot be read as a signed document
   */
  public VerifiedDocument verify(Document signed, List<Document> detachedContents) {
    try {
      SignedDocumentValidator validator =
          SignedDocumentValidator.fromDocument(DocumentFormats.dssDocument(signed));
      validator.setCertificateVerifier(verifier);
      if (validator instanceof PDFDocumentValidator pdf) {
        pdf.setPdfObjFactory(new PdfObjects());
        pdf.setPasswordProtection(signed.passwordCharacters());
      }
      validator.setDetachedContents(
          detachedContents.stream().map(DocumentFormats::dssDocument).toList());
      SimpleReport report =
          validator.validateDocument(RevocationLeftOut.policy()).getSimpleReport();
      Map<String, X509Certificate> signers = signers(validator);
      return new VerifiedDocument(
          report.getSignatureIdList().stream()
              .map(id -> signature(report, id, signers.get(id)))
              .toList(),
          null,
          validator instanceof PDFDocumentValidator ? PdfReaders.hint(signed) : null);
    } catch (RuntimeException e) {
      // Parsers may throw anything: the document may come from anywhere.
      return new VerifiedDocument(List.of(), String.valueOf(e.getMessage()), null);
    } catch (StackOverflowError | OutOfMemoryError e) {
      return new VerifiedDocument(List.of(), Excess.of(e), null);
    }
  }

  private static Map<String, X509Certificate> signers(SignedDocumentValidator validator) {
    Map<String, X509Certificate> signers = new HashMap<>();
    for (AdvancedSignature signature : validator.getSignatures()) {
      CertificateToken signer = signature.getSigningCertificateToken();
      if (signer != null) {
        signers.put(signature.getId(), signer.getCertificate());
      }
    }
    return signers;
  }

  private static VerifiedSignature signature(
      SimpleReport report, String id, @Nullable X509Certificate signer) {
    SubIndication subIndication = report.getSubIndication(id);
    Date signingTime = report.getSigningTime(id);
    return new VerifiedSignature(
        report.getIndication(id).name(),
        subIndication == null ? null : subIndication.name(),
        report.getSignatureFormat(id).toString(),
        report.getSignedBy(id),
        signer,
        signingTime == null ? null : signingTime.toInstant(),
        texts(report.getAdESValidationErrors(id)),
        texts(report.getAdESValidationWarnings(id)));
  }

  private static List<String> texts(List<Message> messages) {
    return messages.stream().map(Message::getValue).toList();
  }
}
