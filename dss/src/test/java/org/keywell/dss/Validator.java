package org.keywell.dss;

import eu.europa.esig.dss.enumerations.Indication;
import eu.europa.esig.dss.simplereport.SimpleReport;
import eu.europa.esig.dss.validation.SignedDocumentValidator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/**
 * DSS's own default policy, which demands revocation information, under one root; fetches nothing.
 */
record Validator(X509Certificate root) {
  static final Duration TEN_YEARS = Duration.ofDays(10 * 365);

  /**
   * DSS's verdict on the first signature.
   *
   * @param sub empty for none
   */
  record Opinion(Indication indication, String sub, String level, List<String> errors) {}

  Opinion now(Document signed, List<Document> contents) {
    return at(Instant.now(), signed, contents);
  }

  /** After the signer's certificate, and the lists. */
  Opinion inAMonth(Document signed, List<Document> contents) {
    return at(Instant.now().plus(Duration.ofDays(30)), signed, contents);
  }

  Opinion inTenYears(Document signed, List<Document> contents) {
    return at(Instant.now().plus(TEN_YEARS), signed, contents);
  }

  private Opinion at(Instant time, Document signed, List<Document> contents) {
    SignedDocumentValidator validator =
        SignedDocumentValidator.fromDocument(DocumentFormats.dssDocument(signed));
    validator.setCertificateVerifier(DocumentVerification.offline(List.of(root)));
    validator.setDetachedContents(contents.stream().map(DocumentFormats::dssDocument).toList());
    validator.setValidationTime(Date.from(time));
    SimpleReport report = validator.validateDocument().getSimpleReport();
    String id = report.getFirstSignatureId();
    return new Opinion(
        report.getIndication(id),
        report.getSubIndication(id) == null ? "" : report.getSubIndication(id).name(),
        report.getSignatureFormat(id).toString(),
        report.getAdESValidationErrors(id).stream().map(message -> message.getValue()).toList());
  }
}
