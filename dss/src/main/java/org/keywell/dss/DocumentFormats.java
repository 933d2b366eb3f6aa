package org.keywell.dss;

import eu.europa.esig.dss.alert.ExceptionOnStatusAlert;
import eu.europa.esig.dss.alert.status.Status;
import eu.europa.esig.dss.asic.cades.ASiCWithCAdESSignatureParameters;
import eu.europa.esig.dss.asic.cades.signature.ASiCWithCAdESService;
import eu.europa.esig.dss.asic.xades.ASiCWithXAdESSignatureParameters;
import eu.europa.esig.dss.asic.xades.signature.ASiCWithXAdESService;
import eu.europa.esig.dss.cades.CAdESSignatureParameters;
import eu.europa.esig.dss.cades.signature.CAdESService;
import eu.europa.esig.dss.enumerations.ASiCContainerType;
import eu.europa.esig.dss.enumerations.SignatureForm;
import eu.europa.esig.dss.enumerations.SignaturePackaging;
import eu.europa.esig.dss.jades.signature.JAdESService;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.pades.signature.PAdESService;
import eu.europa.esig.dss.pades.signature.PAdESWithExternalCMSService;
import eu.europa.esig.dss.signature.AbstractSignatureParameters;
import eu.europa.esig.dss.spi.validation.CertificateVerifier;
import eu.europa.esig.dss.spi.validation.CommonCertificateVerifier;
import eu.europa.esig.dss.spi.validation.status.TokenStatus;
import eu.europa.esig.dss.xades.XAdESSignatureParameters;
import eu.europa.esig.dss.xades.signature.XAdESService;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.client.Digest;

/** Creates each format with DSS. Thread-safe. */
final class DocumentFormats {
  private final BaselineLevel level;
  private final @Nullable MeasuredTimestamps timestamps;
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
  DocumentFormats(@Nullable MeasuredTimestamps timestamps) {
    // "Simple": fetches neither certificates nor their status.
    this(
        timestamps,
        timestamps == null ? BaselineLevel.B : BaselineLevel.T,
        new CommonCertificateVerifier(true));
  }

  /**
   * @param timestamps not null from level T on
   * @param verifier finds what levels LT and LTA need; used by these formats only
   */
  DocumentFormats(
      @Nullable MeasuredTimestamps timestamps, BaselineLevel level, CertificateVerifier verifier) {
    CmsService.choose();
    tolerateEarlierSignatures(verifier);
    this.level = level;
    this.timestamps = timestamps;
    this.pades = new PAdESService(verifier);
    this.padesOfService = new PAdESWithExternalCMSService();
    padesOfService.setCertificateVerifier(verifier);
    PdfObjects pdfObjects = new PdfObjects();
    pades.setPdfObjFactory(pdfObjects);
    padesOfService.setPdfObjFactory(pdfObjects);
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
   * DSS raises a signature's level only if all others in the document are valid today and at no
   * higher level. Here they are others' signatures: they stay what they are.
   */
  private static void tolerateEarlierSignatures(CertificateVerifier verifier) {
    verifier.setAugmentationAlertOnHigherSignatureLevel(null);
    verifier.setAlertOnInvalidSignature(null);
    verifier.setAlertOnExpiredCertificate(DocumentFormats::ofOurSigner);
    verifier.setAlertOnNotYetValidCertificate(DocumentFormats::ofOurSigner);
  }

  /** DSS reports a certificate before it signs, and signatures when it raises their level. */
  private static void ofOurSigner(Status status) {
    if (status instanceof TokenStatus) {
      new ExceptionOnStatusAlert().alert(status);
    }
  }

  /**
   * Does all work that does not need the certificate, so that an unsuitable document is detected
   * before the first call to the service.
   *
   * @throws RuntimeException if the document cannot be signed in this form
   */
  PreparedDocument prepare(DocumentToSign document, DocumentSignRequest request) {
    Document first = document.contents().get(0);
    List<DSSDocument> contents =
        document.contents().stream().map(DocumentFormats::dssDocument).toList();
    DSSDocument content = contents.get(0);
    Instant time = request.signingTime();
    Rehearsal rehearsal = new Rehearsal(request);
    return switch (document.format()) {
      case PADES -> pdf(document, request);
      case XADES_ENVELOPED -> {
        EnvelopedXml xml = new EnvelopedXml(xades, first, ActKey.algorithm(request.digest()), time);
        yield key ->
            xml.signature(new Description(key, time).xades(SignaturePackaging.ENVELOPED), level);
      }
      case XADES_ENVELOPING -> xades(rehearsal, content, SignaturePackaging.ENVELOPING, time);
      case XADES_DETACHED -> xades(rehearsal, content, SignaturePackaging.DETACHED, time);
      case CADES -> cades(rehearsal, content, SignaturePackaging.ENVELOPING, time);
      case CADES_DETACHED -> cades(rehearsal, content, SignaturePackaging.DETACHED, time);
      case JADES -> {
        JsonToSign json = JsonToSign.of(first);
        rehearsal.of(json.content(), jades, json.parameters(), SignatureForm.JAdES);
        yield key ->
            DocumentSignature.of(
                json.content(),
                jades,
                new Description(key, time).of(SignatureForm.JAdES, json::parameters),
                level);
      }
      case ASICE_XADES -> {
        requireContainable(document);
        rehearsal.of(contents, asicXades, asicXades(), SignatureForm.XAdES);
        yield key ->
            DocumentSignature.of(
                contents,
                asicXades,
                new Description(key, time).of(SignatureForm.XAdES, DocumentFormats::asicXades),
                level);
      }
      case ASICE_CADES -> {
        requireContainable(document);
        rehearsal.of(contents, asicCades, asicCades(), SignatureForm.CAdES);
        yield key ->
            DocumentSignature.of(
                contents,
                asicCades,
                new Description(key, time).of(SignatureForm.CAdES, DocumentFormats::asicCades),
                level);
      }
    };
  }

  /**
   * Computes the data to sign of a PDF that is signed in one call.
   *
   * @param space the most bytes that the service's CMS may have
   * @throws RuntimeException if the document cannot be signed in this form
   */
  PendingSignature inOneCall(DocumentSignRequest request, int space) {
    return inOneCall(pdf(request.documents().get(0), request.digest()), request, space);
  }

  /** The visible text may depend on the certificate; a trial run checks all else. */
  private PreparedDocument pdf(DocumentToSign document, DocumentSignRequest request) {
    PdfToSign pdf = pdf(document, request.digest());
    inOneCall(pdf, request, ContainerSpace.USUAL);
    Instant time = request.signingTime();
    return key ->
        DocumentSignature.of(
            pdf.content(),
            pades,
            new Description(key, time).of(SignatureForm.PAdES, () -> pdf.parameters(key, time)),
            level);
  }

  private PdfToSign pdf(DocumentToSign document, Digest digest) {
    return PdfToSign.of(document, digest, timestamps == null ? 0 : timestamps.space());
  }

  private PendingSignature inOneCall(PdfToSign pdf, DocumentSignRequest request, int space) {
    return new PdfInOneCall(padesOfService, pdf, request, level, space);
  }

  private PreparedDocument cades(
      Rehearsal rehearsal, DSSDocument content, SignaturePackaging packaging, Instant signingTime) {
    CAdESSignatureParameters parameters = new CAdESSignatureParameters();
    parameters.setSignaturePackaging(packaging);
    rehearsal.of(content, cades, parameters, SignatureForm.CAdES);
    return key ->
        DocumentSignature.of(
            content, cades, new Description(key, signingTime).cades(packaging), level);
  }

  /** Names that mean something else in a container (ETSI EN 319 162-1). */
  private static void requireContainable(DocumentToSign document) {
    for (Document file : document.contents()) {
      if (file.name().equalsIgnoreCase("mimetype") || file.name().equalsIgnoreCase("META-INF")) {
        throw new IllegalArgumentException(
            "a container keeps its own data under the name " + file.name() + ": rename the file");
      }
    }
  }

  private PreparedDocument xades(
      Rehearsal rehearsal, DSSDocument content, SignaturePackaging packaging, Instant signingTime) {
    XAdESSignatureParameters parameters = new XAdESSignatureParameters();
    parameters.setSignaturePackaging(packaging);
    rehearsal.of(content, xades, parameters, SignatureForm.XAdES);
    return key ->
        DocumentSignature.of(
            content, xades, new Description(key, signingTime).xades(packaging), level);
  }

  static DSSDocument dssDocument(Document document) {
    return new InMemoryDocument(document.content(), document.name());
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

  /** The parameters common to all formats. */
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
