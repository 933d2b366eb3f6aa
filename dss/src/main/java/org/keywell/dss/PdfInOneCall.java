package org.keywell.dss;

import eu.europa.esig.dss.enumerations.SignatureForm;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.DSSMessageDigest;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.pades.PAdESSignatureParameters;
import eu.europa.esig.dss.pades.signature.PAdESWithExternalCMSService;
import eu.europa.esig.dss.spi.DSSUtils;
import java.util.Date;

/**
 * A PDF whose CMS the service builds, including the certificate. Nothing needs to be known in
 * advance, so one call is enough. Follows DSS's steps for external CMS. Not thread-safe.
 */
final class PdfInOneCall implements PendingSignature {
  private final PAdESWithExternalCMSService service;
  private final DocumentSignRequest request;
  private final BaselineLevel level;
  private final int space;
  private final PdfToSign pdf;
  private final PAdESSignatureParameters parameters;
  private final DSSMessageDigest digest;

  /**
   * Runs the first step, and reads the result again without repairs.
   *
   * @param space the most bytes that the service's CMS may have
   * @throws IllegalArgumentException if strict readers would refuse it
   */
  PdfInOneCall(
      PAdESWithExternalCMSService service,
      PdfToSign pdf,
      DocumentSignRequest request,
      BaselineLevel level,
      int space) {
    this.service = service;
    this.request = request;
    this.level = level;
    this.space = space;
    this.pdf = pdf;
    this.parameters = parameters(level);
    this.digest = service.getMessageDigest(pdf.content(), parameters);
    // What DSS repairs while it reads, other readers may not.
    byte[] toBeSigned =
        DSSUtils.toByteArray(parameters.getPdfSignatureCache().getToBeSignedDocument());
    CrossReferences.requireAdded(
        pdf.document().content(), WholePdf.require(pdf.document().with(toBeSigned)).content());
  }

  /** Whether the request is for one PDF whose visible text does not depend on the certificate. */
  static boolean does(DocumentSignRequest request) {
    DocumentToSign first = request.documents().get(0);
    VisibleSignature visible = first.visible();
    return request.documents().size() == 1
        && first.format() == DocumentFormat.PADES
        && (visible == null || visible.text() != null);
  }

  @Override
  public byte[] digest() {
    return digest.getValue();
  }

  /** Whether this is level B CMS over {@link #digest}. */
  @Override
  public boolean isValid(byte[] cms) {
    DSSDocument signature = new InMemoryDocument(cms);
    return service.isValidCMSSignedData(digest, signature)
        && service.isValidPAdESBaselineCMSSignedData(digest, signature);
  }

  @Override
  public DSSDocument signed(byte[] cms, BaselineLevel at) {
    return service.signDocument(
        pdf.content(), at == level ? parameters : parameters(at), new InMemoryDocument(cms));
  }

  private PAdESSignatureParameters parameters(BaselineLevel at) {
    PAdESSignatureParameters fresh =
        pdf.parameters(pdf.expectedText(request.signer(), request.signingTime()), space);
    fresh.setSignatureLevel(at.of(SignatureForm.PAdES));
    fresh.setDigestAlgorithm(ActKey.algorithm(request.digest()));
    fresh.bLevel().setSigningDate(Date.from(request.signingTime()));
    return fresh;
  }
}
