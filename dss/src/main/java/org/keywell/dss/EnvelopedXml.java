package org.keywell.dss;

import eu.europa.esig.dss.enumerations.DigestAlgorithm;
import eu.europa.esig.dss.enumerations.SignatureForm;
import eu.europa.esig.dss.enumerations.SignaturePackaging;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.DigestDocument;
import eu.europa.esig.dss.model.InMemoryDocument;
import eu.europa.esig.dss.xades.XAdESSignatureParameters;
import eu.europa.esig.dss.xades.reference.DSSReference;
import eu.europa.esig.dss.xades.reference.DSSTransform;
import eu.europa.esig.dss.xades.signature.XAdESService;
import eu.europa.esig.dss.xml.utils.DomUtils;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.function.Function;
import javax.xml.crypto.dsig.XMLSignature;

/**
 * XML that will contain its signature. DSS reads the whole document several times for the reference
 * to it, which does not depend on the certificate; this is done in advance, with a signature that
 * names no certificate. The data to sign, with the certificate, is then built over an empty
 * document; its canonical form is exclusive, so it does not depend on its surroundings.
 */
final class EnvelopedXml {
  private static final DSSDocument EMPTY =
      new InMemoryDocument("<empty/>".getBytes(StandardCharsets.UTF_8), "empty.xml");

  private final XAdESService service;
  private final DSSDocument content;
  private final DSSDocument digested;
  private final List<DSSTransform> transforms;

  /**
   * Reads the document.
   *
   * @throws RuntimeException if it is not XML that can contain a signature
   */
  EnvelopedXml(
      XAdESService service, Document document, DigestAlgorithm digest, Instant signingTime) {
    SignableXml.require(document.content());
    this.service = service;
    this.content = DocumentFormats.dssDocument(document);
    XAdESSignatureParameters parameters = new XAdESSignatureParameters();
    parameters.setSignaturePackaging(SignaturePackaging.ENVELOPED);
    parameters.setSignatureLevel(BaselineLevel.B.of(SignatureForm.XAdES));
    parameters.setDigestAlgorithm(digest);
    parameters.setGenerateTBSWithoutCertificate(true);
    parameters.bLevel().setSigningDate(Date.from(signingTime));
    byte[] signedInfo = service.getDataToSign(content, parameters).getBytes();
    this.transforms = parameters.getReferences().get(0).getTransforms();
    this.digested =
        new DigestDocument(
            digest, digestOfDocument(signedInfo), content.getName(), content.getMimeType());
  }

  /** Returns the first reference's digest: the document comes before the signature's properties. */
  private static String digestOfDocument(byte[] signedInfo) {
    return DomUtils.buildDOM(signedInfo)
        .getElementsByTagNameNS(XMLSignature.XMLNS, "DigestValue")
        .item(0)
        .getTextContent();
  }

  PendingSignature signature(
      Function<BaselineLevel, XAdESSignatureParameters> parametersAt, BaselineLevel level) {
    Function<BaselineLevel, XAdESSignatureParameters> withReference =
        at -> {
          XAdESSignatureParameters parameters = parametersAt.apply(at);
          parameters.setReferences(List.of(reference(parameters)));
          return parameters;
        };
    return DocumentSignature.of(EMPTY, content, service, withReference, level);
  }

  private DSSReference reference(XAdESSignatureParameters parameters) {
    DSSReference reference = new DSSReference();
    reference.setUri("");
    reference.setContents(digested);
    reference.setDigestMethodAlgorithm(parameters.getDigestAlgorithm());
    reference.setTransforms(transforms);
    return reference;
  }
}
