package org.keywell.dss;

import eu.europa.esig.dss.model.DSSDocument;
import eu.europa.esig.dss.spi.DSSUtils;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.client.Act;
import org.keywell.client.KeywellClient;
import org.keywell.client.SignResponse;
import org.keywell.client.Signer;

/**
 * Signs documents with keys that sign once: each call is an act of its own, with a fresh key and
 * its certificate. Levels are BASELINE-B, and BASELINE-T with a time stamp authority; BASELINE-LT
 * needs revocation information, which the service's CA does not give yet. Thread-safe; calls block,
 * documents are in memory as a whole.
 */
public final class KeywellDocumentSigner {
  private final KeywellClient client;
  private final DocumentFormats formats;

  /** Signs at level B. */
  public KeywellDocumentSigner(KeywellClient client) {
    this(client, null);
  }

  /**
   * Signs at level T.
   *
   * @param authority null for level B
   */
  public KeywellDocumentSigner(KeywellClient client, @Nullable TimestampAuthority authority) {
    this.client = client;
    this.formats = new DocumentFormats(authority == null ? null : Timestamps.of(authority));
  }

  /** Signs one document by the service's defaults. */
  public Document sign(Document content, DocumentFormat format, Signer signer)
      throws IOException, InterruptedException, DocumentSigningException {
    return sign(DocumentSignRequest.by(signer).document(content, format).build()).document();
  }

  /**
   * Signs the documents of a request, all by one key.
   *
   * @throws org.keywell.client.ServiceProblemException if the service refuses
   * @throws IOException if the service could not be reached, or answered what is no signature. The
   *     same request may be made again: it gets the same act's answer
   * @throws TimestampMissingException if all was signed, but not time-stamped
   * @throws DocumentSigningException if a document cannot be signed so; the act was cancelled then
   */
  public SignedDocuments sign(DocumentSignRequest request)
      throws IOException, InterruptedException, DocumentSigningException {
    Stopwatch watch = new Stopwatch();
    Act act = client.openAct(request.act());
    Duration certified = watch.lap();
    List<DocumentSignature<?>> signatures = prepare(request, act);
    Duration prepared = watch.lap();
    SignResponse answer =
        client.signAct(act.actId(), signatures.stream().map(DocumentSignature::digest).toList());
    requireValid(signatures, answer.signatures());
    Duration signed = watch.lap();
    Assembly assembly = assemble(request, signatures, answer.signatures());
    SignedDocuments result =
        new SignedDocuments(
            assembly.documents(),
            answer,
            new SigningTimes(certified, prepared, signed, watch.lap()));
    if (assembly.timestampFailure() != null) {
      throw new TimestampMissingException(result, assembly.timestampFailure());
    }
    return result;
  }

  private List<DocumentSignature<?>> prepare(DocumentSignRequest request, Act act)
      throws IOException, InterruptedException, DocumentSigningException {
    try {
      ActKey key = ActKey.of(act, request.digest());
      List<DocumentSignature<?>> signatures = new ArrayList<>();
      for (DocumentToSign document : request.documents()) {
        signatures.add(begin(document, key, request));
      }
      return signatures;
    } catch (IOException | DocumentSigningException e) {
      cancel(act, e);
      throw e;
    }
  }

  private DocumentSignature<?> begin(
      DocumentToSign document, ActKey key, DocumentSignRequest request)
      throws DocumentSigningException {
    try {
      return formats.begin(document, key, request.signingTime());
    } catch (RuntimeException e) {
      // Whatever a parser throws: the document comes from anywhere.
      throw new DocumentSigningException(
          "%s cannot be signed as %s: %s"
              .formatted(document.contents().get(0).name(), document.format(), e.getMessage()),
          e);
    }
  }

  /** The key would be destroyed a little later anyhow. */
  private void cancel(Act act, Exception reason) throws InterruptedException {
    try {
      client.cancelAct(act.actId());
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  private static void requireValid(List<DocumentSignature<?>> signatures, List<byte[]> values)
      throws IOException {
    if (values.size() != signatures.size()) {
      throw new IOException(
          "the service answered %d signatures instead of %d"
              .formatted(values.size(), signatures.size()));
    }
    for (int i = 0; i < values.size(); i++) {
      if (!signatures.get(i).isValid(values.get(i))) {
        throw new IOException("the service answered a signature that its certificate denies");
      }
    }
  }

  /**
   * @param timestampFailure why there are no time stamps, if they were wanted
   */
  private record Assembly(List<Document> documents, @Nullable RuntimeException timestampFailure) {}

  private Assembly assemble(
      DocumentSignRequest request, List<DocumentSignature<?>> signatures, List<byte[]> values)
      throws DocumentSigningException {
    try {
      return new Assembly(all(request, signatures, values, DocumentSignature::signed), null);
    } catch (RuntimeException e) {
      if (formats.level() == BaselineLevel.B) {
        throw unassembled(e);
      }
      return withoutTimestamps(request, signatures, values, e);
    }
  }

  private static Assembly withoutTimestamps(
      DocumentSignRequest request,
      List<DocumentSignature<?>> signatures,
      List<byte[]> values,
      RuntimeException reason)
      throws DocumentSigningException {
    try {
      return new Assembly(
          all(request, signatures, values, DocumentSignature::signedWithoutTimestamp), reason);
    } catch (RuntimeException e) {
      e.addSuppressed(reason);
      throw unassembled(e);
    }
  }

  private static DocumentSigningException unassembled(RuntimeException e) {
    return new DocumentSigningException(
        "the signatures were made, but do not go into the documents: " + e.getMessage(), e);
  }

  private interface LastStep {
    DSSDocument take(DocumentSignature<?> signature, byte[] value);
  }

  private static List<Document> all(
      DocumentSignRequest request,
      List<DocumentSignature<?>> signatures,
      List<byte[]> values,
      LastStep step) {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      DSSDocument signed = step.take(signatures.get(i), values.get(i));
      documents.add(
          new Document(request.documents().get(i).signedName(), DSSUtils.toByteArray(signed)));
    }
    return documents;
  }
}
