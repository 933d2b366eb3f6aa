package org.keywell.dss;

import eu.europa.esig.dss.enumerations.SignatureAlgorithm;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.model.SignatureValue;
import eu.europa.esig.dss.model.ToBeSigned;
import eu.europa.esig.dss.model.x509.CertificateToken;
import eu.europa.esig.dss.signature.AbstractSignatureParameters;
import eu.europa.esig.dss.signature.DocumentSignatureService;
import eu.europa.esig.dss.signature.MultipleDocumentsSignatureService;
import eu.europa.esig.dss.spi.DSSUtils;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * One signature on its way through DSS's steps: the data to sign, their signature's value, the
 * signed document. Not thread-safe.
 */
final class DocumentSignature<P extends AbstractSignatureParameters<?>>
    implements PendingSignature {
  private final Function<BaselineLevel, P> parametersAt;
  private final BiFunction<P, SignatureValue, DSSDocument> sign;
  private final ValueCheck valueCheck;
  private final BaselineLevel level;
  private final P parameters;
  private final ToBeSigned data;

  private interface ValueCheck {
    boolean isValid(ToBeSigned data, SignatureValue value, CertificateToken certificate);
  }

  private DocumentSignature(
      Function<BaselineLevel, P> parametersAt,
      Function<P, ToBeSigned> dataToSign,
      BiFunction<P, SignatureValue, DSSDocument> sign,
      ValueCheck valueCheck,
      BaselineLevel level) {
    this.parametersAt = parametersAt;
    this.sign = sign;
    this.valueCheck = valueCheck;
    this.level = level;
    this.parameters = parametersAt.apply(level);
    this.data = dataToSign.apply(parameters);
  }

  /** Takes the first step. */
  static <P extends AbstractSignatureParameters<?>> DocumentSignature<P> of(
      DSSDocument document,
      DocumentSignatureService<P, ?> service,
      Function<BaselineLevel, P> parametersAt,
      BaselineLevel level) {
    return new DocumentSignature<>(
        parametersAt,
        parameters -> service.getDataToSign(document, parameters),
        (parameters, value) -> service.signDocument(document, parameters, value),
        service::isValidSignatureValue,
        level);
  }

  /**
   * As {@link #of(DSSDocument, DocumentSignatureService, Function, BaselineLevel)}, but the time
   * stamp is put into the signed document as it would be read. DSS 6.3 with Bouncy Castle 1.85 or
   * newer does not understand the signing time of CMS that it has made and not read.
   */
  static <P extends AbstractSignatureParameters<?>> DocumentSignature<P> ofReread(
      DSSDocument document,
      DocumentSignatureService<P, ?> service,
      Function<BaselineLevel, P> parametersAt,
      BaselineLevel level) {
    return new DocumentSignature<>(
        parametersAt,
        parameters -> service.getDataToSign(document, parameters),
        (parameters, value) -> {
          P atB = parametersAt.apply(BaselineLevel.B);
          DSSDocument signed = service.signDocument(document, atB, value);
          return parameters.getSignatureLevel() == atB.getSignatureLevel()
              ? signed
              : service.extendDocument(
                  new InMemoryDocument(DSSUtils.toByteArray(signed), signed.getName()), parameters);
        },
        service::isValidSignatureValue,
        level);
  }

  /** Takes the first step. */
  static <P extends AbstractSignatureParameters<?>> DocumentSignature<P> of(
      List<DSSDocument> documents,
      MultipleDocumentsSignatureService<P, ?> service,
      Function<BaselineLevel, P> parametersAt,
      BaselineLevel level) {
    return new DocumentSignature<>(
        parametersAt,
        parameters -> service.getDataToSign(documents, parameters),
        (parameters, value) -> service.signDocument(documents, parameters, value),
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
  public DSSDocument signed(byte[] signature) {
    return sign.apply(parameters, value(signature));
  }

  @Override
  public DSSDocument signedWithoutTimestamp(byte[] signature) {
    if (level == BaselineLevel.B) {
      return signed(signature);
    }
    P atB = parametersAt.apply(BaselineLevel.B);
    return sign.apply(atB, value(signature));
  }

  private SignatureValue value(byte[] signature) {
    SignatureAlgorithm algorithm = parameters.getSignatureAlgorithm();
    return new SignatureValue(algorithm, signature);
  }
}
