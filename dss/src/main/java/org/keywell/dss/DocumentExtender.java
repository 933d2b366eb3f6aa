package org.keywell.dss;

import eu.europa.esig.dss.enumerations.JWSSerializationType;
import eu.europa.esig.dss.enumerations.SignatureProfile;
import eu.europa.esig.dss.extension.SignedDocumentExtender;
import eu.europa.esig.dss.jades.JAdESSignatureParameters;
import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.model.SerializableSignatureParameters;
import eu.europa.esig.dss.pades.signature.PAdESService;
import eu.europa.esig.dss.spi.DSSUtils;
import eu.europa.esig.dss.spi.validation.CertificateVerifier;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.keywell.client.KeywellClient;

/**
 * Extends signed documents to a higher level, without the signers and their keys. At level LTA,
 * extending again adds another time stamp over all earlier ones, before their authority's
 * certificate or their algorithms get too old.
 *
 * <p>Documents may come from anywhere: each is verified first, and extended only if all of its
 * signatures pass. Thread-safe; calls block, and documents are held in memory completely.
 */
public final class DocumentExtender {
  private final MeasuredTimestamps timestamps;
  private final ValidationSources sources;
  private final DocumentVerification verification;
  private final HttpClient http;

  DocumentExtender(MeasuredTimestamps timestamps, ValidationSources sources) {
    this.timestamps = timestamps;
    this.sources = sources;
    this.verification = DocumentVerification.trusting(sources.anchors());
    this.http = LimitedFetch.http(sources.timeout());
  }

  /** Creates an extender with time stamps of this authority. */
  public DocumentExtender(TimestampAuthority authority, ValidationSources sources) {
    this(Timestamps.of(authority), sources);
  }

  /**
   * Creates an extender with time stamps of the first of these authorities that answers.
   *
   * @param authorities asked in this order for each time stamp
   */
  public DocumentExtender(List<TimestampAuthority> authorities, ValidationSources sources) {
    this(Timestamps.of(authorities), sources);
  }

  /** Creates an extender with time stamps of a service. */
  public static DocumentExtender withTimestampsOf(KeywellClient client, ValidationSources sources) {
    return new DocumentExtender(Timestamps.of(client), sources);
  }

  /** Extends a document that contains its content. */
  public Document extend(Document signed, BaselineLevel level) throws DocumentExtensionException {
    return extend(signed, List.of(), level);
  }

  /**
   * Extends all signatures of a document that are below the level, or at it.
   *
   * @param detachedContents the signed content, if the signed document does not contain it
   * @param level not B
   * @return the extended document under the same name
   * @throws RevocationMissingException if there is no revocation information for a certificate that
   *     needs it
   * @throws DocumentExtensionException if the document is not signed, does not pass verification,
   *     or is above the level; if a certificate is revoked; or if there was no time stamp
   */
  public Document extend(Document signed, List<Document> detachedContents, BaselineLevel level)
      throws DocumentExtensionException {
    VerifiedDocument verified = verification.verify(signed, detachedContents);
    requireSuitable(signed, verified, level);
    RevocationSearch search = new RevocationSearch(sources, http);
    List<DSSDocument> contents =
        detachedContents.stream().map(DocumentFormats::dssDocument).toList();
    try {
      Document whole = whole(signed, verified);
      DSSDocument extended = extended(whole, verified, contents, level, search);
      search.requireComplete(extended, contents, signed.passwordCharacters());
      byte[] content = DSSUtils.toByteArray(extended);
      if (isPdf(verified)) {
        CrossReferences.requireAdded(whole.content(), content);
      }
      return passing(signed.with(content), detachedContents);
    } catch (RuntimeException e) {
      // Parsers may throw anything: the document may come from anywhere.
      throw search.failure(signed.name(), e);
    }
  }

  /** A time stamp that does not fit tells how much space the next one needs. */
  private DSSDocument extended(
      Document whole,
      VerifiedDocument verified,
      List<DSSDocument> contents,
      BaselineLevel level,
      RevocationSearch search) {
    int space = timestamps.space();
    SignatureProfile profile = SignatureProfile.valueOf("BASELINE_" + level);
    DSSDocument document = DocumentFormats.dssDocument(whole);
    try {
      return extender(document, search.verifier())
          .extendDocument(profile, contents, needs(whole, verified));
    } catch (RuntimeException e) {
      if (!isPdf(verified) || timestamps.space() == space) {
        throw e;
      }
      return extender(document, search.verifier())
          .extendDocument(profile, contents, needs(whole, verified));
    }
  }

  private static Document whole(Document signed, VerifiedDocument verified) {
    return isPdf(verified) ? WholePdf.require(signed) : signed;
  }

  private static boolean isPdf(VerifiedDocument verified) {
    return verified.signatures().get(0).level().startsWith("PAdES");
  }

  private static void requireSuitable(
      Document document, VerifiedDocument verified, BaselineLevel level)
      throws DocumentExtensionException {
    if (verified.signatures().isEmpty()) {
      throw new DocumentExtensionException(
          document.name()
              + " has no signature"
              + (verified.unreadable() == null ? "" : ": " + verified.unreadable()),
          null);
    }
    if (!verified.passed()) {
      throw new DocumentExtensionException(
          "%s does not pass verification: %s".formatted(document.name(), verdicts(verified)), null);
    }
    if (verified.signatures().stream()
        .noneMatch(signature -> mayReach(level, BaselineLevel.named(signature.level())))) {
      throw new DocumentExtensionException(
          "%s is at %s and is not extended to level %s"
              .formatted(
                  document.name(),
                  verified.signatures().stream()
                      .map(VerifiedSignature::level)
                      .distinct()
                      .collect(Collectors.joining(" and ")),
                  level),
          null);
    }
  }

  /** Signatures of several levels are a case that DSS warns of. */
  private Document passing(Document extended, List<Document> detachedContents)
      throws DocumentExtensionException {
    VerifiedDocument verified = verification.verify(extended, detachedContents);
    if (!verified.passed()) {
      throw new DocumentExtensionException(
          "%s cannot be extended: it would not pass verification: %s"
              .formatted(extended.name(), verdicts(verified)),
          null);
    }
    return extended;
  }

  private static String verdicts(VerifiedDocument verified) {
    return verified.signatures().stream()
        .filter(signature -> !signature.passed())
        .map(DocumentExtender::verdict)
        .collect(Collectors.joining("; "));
  }

  /** LT and LTA again mean newer revocation information, and another time stamp. */
  private static boolean mayReach(BaselineLevel level, Optional<BaselineLevel> now) {
    boolean again = level == BaselineLevel.LT || level == BaselineLevel.LTA;
    return now.isPresent()
        && (again ? now.get().compareTo(level) <= 0 : now.get().compareTo(level) < 0);
  }

  private static String verdict(VerifiedSignature signature) {
    return signature.subIndication() == null
        ? signature.indication()
        : signature.indication() + ", " + signature.subIndication();
  }

  private SignedDocumentExtender extender(DSSDocument document, CertificateVerifier verifier) {
    PAdESService pades = new PAdESService(verifier);
    pades.setPdfObjFactory(new PdfObjects());
    pades.setTspSource(timestamps);
    SignedDocumentExtender extender = SignedDocumentExtender.fromDocument(document);
    extender.setCertificateVerifier(verifier);
    extender.setTspSource(timestamps);
    extender.setServices(pades);
    return extender;
  }

  /** Returns what a document with these signatures needs. */
  private SerializableSignatureParameters needs(Document signed, VerifiedDocument verified) {
    if (isPdf(verified)) {
      return PdfToSign.opening(signed, timestamps.space());
    }
    // Documents other than JSON ignore it.
    JAdESSignatureParameters parameters = new JAdESSignatureParameters();
    parameters.setJwsSerializationType(
        verified.signatures().size() == 1
            ? JWSSerializationType.FLATTENED_JSON_SERIALIZATION
            : JWSSerializationType.JSON_SERIALIZATION);
    return parameters;
  }
}
