package org.keywell.dss;

import eu.europa.esig.dss.asic.cades.ASiCWithCAdESSignatureParameters;
import eu.europa.esig.dss.asic.cades.signature.ASiCWithCAdESService;
import eu.europa.esig.dss.asic.xades.ASiCWithXAdESSignatureParameters;
import eu.europa.esig.dss.asic.xades.signature.ASiCWithXAdESService;
import eu.europa.esig.dss.cades.CAdESSignatureParameters;
import eu.europa.esig.dss.cades.signature.CAdESService;
import eu.europa.esig.dss.enumerations.ASiCContainerType;
import eu.europa.esig.dss.enumerations.JWSSerializationType;
import eu.europa.esig.dss.enumerations.SignatureForm;
import eu.europa.esig.dss.enumerations.SignaturePackaging;
import eu.europa.esig.dss.jades.JAdESSignatureParameters;
import eu.europa.esig.dss.jades.signature.JAdESService;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.pades.signature.PAdESService;
import eu.europa.esig.dss.pades.signature.PAdESWithExternalCMSService;
import eu.europa.esig.dss.signature.AbstractSignatureParameters;
import eu.europa.esig.dss.spi.validation.CertificateVerifier;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.x509.tsp.TSPSource;
import eu.europa.esig.dss.xades.XAdESSignatureParameters;
import eu.europa.esig.dss.xades.signature.XAdESService;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What each format is made with in DSS. Thread-safe. */
final class DocumentFormats {
  private final BaselineLevel level;
  private final PAdESService pades;
  private final PAdESWithExternalCMSService padesOfService;
  private final XAdESService xades;
  private final CAdESService cades;
  private final JAdESService jades;
  private final ASiCWithXAdESService asicXades;
  private final ASiCWithCAdESService asicCades;

  /**
   * @param timestamps for level T; null for level B
   */
  DocumentFormats(@Nullable TSPSource timestamps) {
    CmsService.choose();
    // "Simple": nothing that it would fetch, neither certificates nor their status.
    CertificateVerifier verifier = new CommonCertificateVerifier(true);
    this.level = timestamps == null ? BaselineLevel.B : BaselineLevel.T;
    this.pades = new PAdESService(verifier);
    this.padesOfService = new PAdESWithExternalCMSService();
    padesOfService.setCertificateVerifier(verifier);
    this.xades = new XAdESService(verifier);
    this.cades = new CAdESService(verifier);
    this.jades = new JAdESService(verifier);
    this.asicXades = new ASiCWithXAdESService(verifier);
    this.asicCades = new ASiCWithCAdESService(verifier);
    if (timestamps != null) {
      pades.setTspSource(timestamps);
      padesOfService.setTspSource(timestamps);
      xades.setTspSource(timestamps);
      cades.setTspSource(timestamps);
      jades.setTspSource(timestamps);
      asicXades.setTspSource(timestamps);
      asicCades.setTspSource(timestamps);
    }
  }

  BaselineLevel level() {
    return level;
  }

  /**
   * Finds what is to be signed.
   *
   * @throws RuntimeException if the document cannot be signed so
   */
  PendingSignature begin(DocumentToSign document, ActKey key, Instant signingTime) {
    List<DSSDocument> contents =
        document.contents().stream().map(DocumentFormats::dssDocument).toList();
    DSSDocument content = contents.get(0);
    Description description = new Description(key, signingTime);
    return switch (document.format()) {
      case PADES ->
          DocumentSignature.of(
              content,
              pades,
              description.of(
                  SignatureForm.PAdES,
                  () -> PdfParameters.of(document.visible(), key, signingTime, level)),
              level);
      case XADES_ENVELOPED ->
          DocumentSignature.of(
              content, xades, description.xades(SignaturePackaging.ENVELOPED), level);
      case XADES_ENVELOPING ->
          DocumentSignature.of(
              content, xades, description.xades(SignaturePackaging.ENVELOPING), level);
      case XADES_DETACHED ->
          DocumentSignature.of(
              content, xades, description.xades(SignaturePackaging.DETACHED), level);
      case CADES ->
          DocumentSignature.ofReread(
              content, cades, description.cades(SignaturePackaging.ENVELOPING), level);
      case CADES_DETACHED ->
          DocumentSignature.of(
              content, cades, description.cades(SignaturePackaging.DETACHED), level);
      case JADES ->
          DocumentSignature.of(
              content, jades, description.of(SignatureForm.JAdES, DocumentFormats::jades), level);
      case ASICE_XADES ->
          DocumentSignature.of(
              contents,
              asicXades,
              description.of(SignatureForm.XAdES, DocumentFormats::asicXades),
              level);
      case ASICE_CADES ->
          DocumentSignature.of(
              contents,
              asicCades,
              description.of(SignatureForm.CAdES, DocumentFormats::asicCades),
              level);
    };
  }

  /**
   * Finds what is to be signed of a PDF that goes in one call.
   *
   * @throws RuntimeException if the document cannot be signed so
   */
  PendingSignature begin(DocumentSignRequest request) {
    return new PdfInOneCall(padesOfService, request, level);
  }

  static DSSDocument dssDocument(Document document) {
    return new InMemoryDocument(document.content(), document.name());
  }

  private static JAdESSignatureParameters jades() {
    var parameters = new JAdESSignatureParameters();
    parameters.setSignaturePackaging(SignaturePackaging.ENVELOPING);
    // The compact serialization has no place for a time stamp.
    parameters.setJwsSerializationType(JWSSerializationType.FLATTENED_JSON_SERIALIZATION);
    return parameters;
  }

  private static ASiCWithXAdESSignatureParameters asicXades() {
    var parameters = new ASiCWithXAdESSignatureParameters();
    parameters.aSiC().setContainerType(ASiCContainerType.ASiC_E);
    return parameters;
  }

  private static ASiCWithCAdESSignatureParameters asicCades() {
    var parameters = new ASiCWithCAdESSignatureParameters();
    parameters.aSiC().setContainerType(ASiCContainerType.ASiC_E);
    return parameters;
  }

  /** What all formats are told alike. */
  private record Description(ActKey key, Instant signingTime) {

    <P extends AbstractSignatureParameters<?>> Function<BaselineLevel, P> of(
        SignatureForm form, Supplier<P> fresh) {
      return level -> {
        P parameters = fresh.get();
        key.describe(parameters, signingTime);
        parameters.setSignatureLevel(level.of(form));
        return parameters;
      };
    }

    Function<BaselineLevel, XAdESSignatureParameters> xades(SignaturePackaging packaging) {
      return of(
          SignatureForm.XAdES,
          () -> {
            var parameters = new XAdESSignatureParameters();
            parameters.setSignaturePackaging(packaging);
            return parameters;
          });
    }

    Function<BaselineLevel, CAdESSignatureParameters> cades(SignaturePackaging packaging) {
      return of(
          SignatureForm.CAdES,
          () -> {
            var parameters = new CAdESSignatureParameters();
            parameters.setSignaturePackaging(packaging);
            return parameters;
          });
    }
  }
}
