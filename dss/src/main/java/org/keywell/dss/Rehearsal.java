package org.keywell.dss;

import eu.europa.esig.dss.enumerations.EncryptionAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureForm;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.signature.AbstractSignatureParameters;
import eu.europa.esig.dss.signature.DocumentSignatureService;
import eu.europa.esig.dss.signature.MultipleDocumentsSignatureService;
import java.util.Date;
import java.util.List;

/**
 * All of DSS's steps with a signature of zeros, and without a certificate: what DSS does not accept
 * in a document, it says here, before a key is spent.
 */
record Rehearsal(DocumentSignRequest request) {
  private static final int RSA_2048_BYTES = 256;

  /**
   * @throws RuntimeException if DSS does not sign the document in this form
   */
  <P extends AbstractSignatureParameters<?>> void of(
      DSSDocument document,
      DocumentSignatureService<P, ?> service,
      P parameters,
      SignatureForm form) {
    describe(parameters, form);
    service.getDataToSign(document, parameters);
    service.signDocument(document, parameters, zeros(parameters));
  }

  /**
   * @throws RuntimeException if DSS does not sign the documents in this form
   */
  <P extends AbstractSignatureParameters<?>> void of(
      List<DSSDocument> documents,
      MultipleDocumentsSignatureService<P, ?> service,
      P parameters,
      SignatureForm form) {
    describe(parameters, form);
    service.getDataToSign(documents, parameters);
    service.signDocument(documents, parameters, zeros(parameters));
  }

  private void describe(AbstractSignatureParameters<?> parameters, SignatureForm form) {
    parameters.setSignatureLevel(BaselineLevel.B.of(form));
    parameters.setDigestAlgorithm(ActKey.algorithm(request.digest()));
    parameters.setEncryptionAlgorithm(EncryptionAlgorithm.RSA);
    parameters.setGenerateTBSWithoutCertificate(true);
    parameters.bLevel().setSigningDate(Date.from(request.signingTime()));
  }

  private static SignatureValue zeros(AbstractSignatureParameters<?> parameters) {
    return new SignatureValue(parameters.getSignatureAlgorithm(), new byte[RSA_2048_BYTES]);
  }
}
