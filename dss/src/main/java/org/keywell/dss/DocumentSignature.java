package org.keywell.dss;

import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.model.ToBeSigned;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.signature.AbstractSignatureParameters;
import eu.europa.esig.dss.signature.DocumentSignatureService;
import eu.europa.esig.dss.signature.MultipleDocumentsSignatureService;
import eu.europa.esig.dss.spi.DSSUtils;
import java.util.List;
import java.util.function.Function;

/**
 * One signature in the course of DSS's steps: data to sign, signature value, signed document. Not
 * thread-safe.
 */
final class DocumentSignature<P extends AbstractSignatureParameters<?>>
    implements PendingSignature {
  private final Function<BaselineLevel, P> parametersAt;
  private final LastStep<P> lastStep;
  private final ValueCheck valueCheck;
  private final BaselineLevel level;
  private final P parameters;
  private final ToBeSigned data;

  private interface LastStep<P> {
    DSSDocument take(BaselineLevel at, P parameters, SignatureValue value);
  }

  private interface ValueCheck {
    boolean isValid(ToBeSigned data, SignatureValue value, CertificateToken certificate);
  }

  private DocumentSignature(
      Function<BaselineLevel, P> parametersAt,
      Function<P, ToBeSigned> dataToSign,
      LastStep<P> lastStep,
      ValueCheck valueCheck,
      BaselineLevel level) {
    this.parametersAt = parametersAt;
    this.lastStep = lastStep;
    this.valueCheck = valueCheck;
    this.level = level;
    this.parameters = parametersAt.apply(level);
    this.data = dataToSign.apply(parameters);
  }

  /** Runs the first step. */
  static <P extends AbstractSignatureParameters<?>> DocumentSignature<P> of(
      DSSDocument document,
      DocumentSignatureService<P, ?> service,
      Function<BaselineLevel, P> parametersAt,
      BaselineLevel level) {
    return new DocumentSignature<>(
        parametersAt,
        parameters -> service.getDataToSign(document, parameters),
        (at, parameters, value) -> service.signDocument(document, parameters, value),
        service::isValidSignatureValue,
        level);
  }

  /**
   * Like {@link #of(DSSDocument, DocumentSignatureService, Function, BaselineLevel)}, but computes
   * the data to sign over a stand-in: the parameters hold all relevant data of the document. The
   * last step uses fresh parameters, since they keep what was built with them.
   */
  static <P extends AbstractSignatureParameters<?>> DocumentSignature<P> of(
      DSSDocument standIn,
      DSSDocument document,
      DocumentSignatureService<P, ?> service,
      Function<BaselineLevel, P> parametersAt,
      BaselineLevel level) {
    return new DocumentSignature<>(
        parametersAt,
        parameters -> service.getDataToSign(standIn, parameters),
        (at, parameters, value) -> service.signDocument(document, parametersAt.apply(at), value),
        service::isValidSignatureValue,
        level);
  }

  /** Runs the first step. */
  static <P extends AbstractSignatureParameters<?>> DocumentSignature<P> of(
      List<DSSDocument> documents,
      MultipleDocumentsSignatureService<P, ?> service,
      Function<BaselineLevel, P> parametersAt,
      BaselineLevel level) {
    return new DocumentSignature<>(
        parametersAt,
        parameters -> service.getDataToSign(documents, parameters),
        (at, parameters, value) -> service.signDocument(documents, parameters, value),
        service::isValidSignatureValue,
        level);
  }

  @Override
  public byte[] digest() {
    return DSSUtils.digest(parameters.getDigestAlgorithm(), data.getBytes());
  }

  @Override
  public boolean isValid(byte[] signature) {
    return valueCheck.isValid(data, value(signature), parameters.getSigningCertificate());
  }

  @Override
  public DSSDocument signed(byte[] signature, BaselineLevel at) {
    return lastStep.take(at, at == level ? parameters : parametersAt.apply(at), value(signature));
  }

  private SignatureValue value(byte[] signature) {
    return new SignatureValue(parameters.getSignatureAlgorithm(), signature);
  }
}
