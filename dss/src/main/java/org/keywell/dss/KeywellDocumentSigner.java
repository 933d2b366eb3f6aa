package org.keywell.dss;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.keywell.client.Act;
import org.keywell.client.KeywellClient;
import org.keywell.client.SignResponse;
import org.keywell.client.Signer;

/**
 * Signs documents with keys that sign once: each call is a separate act, with a fresh key and
 * certificate. Levels are BASELINE-B, BASELINE-T with a time stamp authority, and LT and LTA by
 * {@link #extendingTo}. Thread-safe; calls block, and documents are held in memory completely.
 */
public final class KeywellDocumentSigner {
  private final KeywellClient client;
  private final @Nullable MeasuredTimestamps timestamps;
  private final DocumentFormats formats;
  private final @Nullable LongTerm longTerm;
  private final ContainerSpace containers = new ContainerSpace();

  private record LongTerm(BaselineLevel level, ValidationSources sources, HttpClient http) {}

  /** Creates a signer at level B. */
  public KeywellDocumentSigner(KeywellClient client) {
    this(client, (MeasuredTimestamps) null);
  }

  /**
   * Creates a signer at level T.
   *
   * @param authority null for level B
   */
  public KeywellDocumentSigner(KeywellClient client, @Nullable TimestampAuthority authority) {
    this(client, authority == null ? null : Timestamps.of(authority));
  }

  /**
   * Creates a signer at level T.
   *
   * @param authorities asked in this order for each time stamp, until one answers
   */
  public KeywellDocumentSigner(KeywellClient client, List<TimestampAuthority> authorities) {
    this(client, Timestamps.of(authorities));
  }

  private KeywellDocumentSigner(KeywellClient client, @Nullable MeasuredTimestamps timestamps) {
    this(client, timestamps, null);
  }

  private KeywellDocumentSigner(
      KeywellClient client, @Nullable MeasuredTimestamps timestamps, @Nullable LongTerm longTerm) {
    this.client = client;
    this.timestamps = timestamps;
    this.formats = new DocumentFormats(timestamps);
    this.longTerm = longTerm;
  }

  /** Creates a signer at level T, with the time stamps of the service that signs. */
  public static KeywellDocumentSigner withTimestampsOfTheService(KeywellClient client) {
    return new KeywellDocumentSigner(client, Timestamps.of(client));
  }

  /**
   * Returns a signer at a higher level, with the same time stamp authority.
   *
   * @param level LT or LTA
   * @throws IllegalArgumentException for another level
   * @throws IllegalStateException if this signer makes no time stamps
   */
  public KeywellDocumentSigner extendingTo(BaselineLevel level, ValidationSources sources) {
    if (level != BaselineLevel.LT && level != BaselineLevel.LTA) {
      throw new IllegalArgumentException("a signer extends to level LT or LTA, not " + level);
    }
    if (timestamps == null) {
      throw new IllegalStateException("levels LT and LTA need a time stamp authority");
    }
    return new KeywellDocumentSigner(
        client, timestamps, new LongTerm(level, sources, LimitedFetch.http(sources.timeout())));
  }

  /** Signs one document with the service's defaults. */
  public Document sign(Document content, DocumentFormat format, Signer signer)
      throws IOException, InterruptedException, DocumentSigningException {
    return sign(DocumentSignRequest.by(signer).document(content, format).build()).document();
  }

  /**
   * Signs the documents of a request, all with one key.
   *
   * @throws org.keywell.client.ServiceProblemException if the service refuses
   * @throws IOException if the service could not be reached, or its answer is not a valid
   *     signature. Repeating the same request returns the same act's answer
   * @throws UnsuitableDocumentException if a document cannot be signed in this form; the service
   *     was not called
   * @throws TimestampMissingException if everything was signed but not time-stamped
   * @throws ExtensionMissingException if everything was signed and time-stamped but not extended
   * @throws DocumentSigningException if the act's result does not fit a document, for example the
   *     name in the certificate; the act was cancelled unless it had signed
   */
  public SignedDocuments sign(DocumentSignRequest request)
      throws IOException, InterruptedException, DocumentSigningException {
    if (longTerm == null) {
      return sign(request, formats, null);
    }
    RevocationSearch search = new RevocationSearch(longTerm.sources(), longTerm.http());
    return sign(
        request, new DocumentFormats(timestamps, longTerm.level(), search.verifier()), search);
  }

  private SignedDocuments sign(
      DocumentSignRequest request, DocumentFormats at, @Nullable RevocationSearch search)
      throws IOException, InterruptedException, DocumentSigningException {
    return PdfInOneCall.does(request)
        ? inOneCall(request, at, search)
        : inTwoCalls(request, at, search);
  }

  /** The certificate comes with the signature, in CMS that the service creates. */
  private SignedDocuments inOneCall(
      DocumentSignRequest request, DocumentFormats at, @Nullable RevocationSearch search)
      throws IOException, InterruptedException, DocumentSigningException {
    Stopwatch watch = new Stopwatch();
    int space = containers.known();
    PendingSignature pdf = inOneCall(request, at, space);
    if (containers.expected(client) > space) {
      space = containers.known();
      pdf = inOneCall(request, at, space);
    }
    Duration prepared = watch.lap();
    SignResponse answer = signInOneCall(request, pdf);
    if (answer.containers().get(0).length > space) {
      // Its key is gone. The next container may be longer by a few bytes, not by many.
      containers.makeRoomFor(answer.containers().get(0));
      pdf = inOneCall(request, at, containers.known());
      answer = signInOneCall(request.again(), pdf);
    }
    Duration signed = watch.lap();
    Assembly assembly = Assembly.of(request, List.of(pdf), answer.containers(), at.level(), search);
    return result(
        assembly,
        List.of(pdf.digest()),
        answer,
        new SigningTimes(Duration.ZERO, prepared, signed, watch.lap()));
  }

  private static PendingSignature inOneCall(
      DocumentSignRequest request, DocumentFormats at, int space)
      throws UnsuitableDocumentException {
    return prepare(request.documents().get(0), () -> at.inOneCall(request, space));
  }

  private SignResponse signInOneCall(DocumentSignRequest request, PendingSignature pdf)
      throws IOException, InterruptedException {
    SignResponse answer = client.sign(request.inOneCall(pdf.digest())).orThrow();
    requireValid(List.of(pdf), answer.containers());
    return answer;
  }

  /** The certificate comes first: most formats sign its hash. */
  private SignedDocuments inTwoCalls(
      DocumentSignRequest request, DocumentFormats at, @Nullable RevocationSearch search)
      throws IOException, InterruptedException, DocumentSigningException {
    Stopwatch watch = new Stopwatch();
    List<PreparedDocument> documents = new ArrayList<>();
    for (DocumentToSign document : request.documents()) {
      documents.add(prepare(document, () -> at.prepare(document, request)));
    }
    Duration beforehand = watch.lap();
    Act act = client.openAct(request.act());
    Duration certified = watch.lap();
    List<PendingSignature> signatures = begin(request, documents, act);
    Duration prepared = beforehand.plus(watch.lap());
    List<byte[]> digests = signatures.stream().map(PendingSignature::digest).toList();
    SignResponse answer = client.signAct(act.actId(), digests);
    requireValid(signatures, answer.signatures());
    Duration signed = watch.lap();
    Assembly assembly = Assembly.of(request, signatures, answer.signatures(), at.level(), search);
    return result(
        assembly, digests, answer, new SigningTimes(certified, prepared, signed, watch.lap()));
  }

  private static SignedDocuments result(
      Assembly assembly, List<byte[]> digests, SignResponse answer, SigningTimes times)
      throws TimestampMissingException, ExtensionMissingException {
    SignedDocuments result = new SignedDocuments(assembly.documents(), digests, answer, times);
    if (assembly.shortfall() instanceof DocumentExtensionException extension) {
      throw new ExtensionMissingException(result, extension);
    }
    if (assembly.shortfall() != null) {
      throw new TimestampMissingException(result, assembly.shortfall());
    }
    return result;
  }

  private static <T> T prepare(DocumentToSign document, Supplier<T> firstStep)
      throws UnsuitableDocumentException {
    try {
      return firstStep.get();
    } catch (RuntimeException e) {
      // Parsers may throw anything: the document may come from anywhere.
      throw new UnsuitableDocumentException(unsuitable(document, e), e);
    } catch (StackOverflowError | OutOfMemoryError e) {
      throw new UnsuitableDocumentException(
          unsuitable(document, new IllegalArgumentException(Excess.of(e), e)), e);
    }
  }

  private List<PendingSignature> begin(
      DocumentSignRequest request, List<PreparedDocument> documents, Act act)
      throws IOException, InterruptedException, DocumentSigningException {
    try {
      ActKey key = ActKey.of(act, request.digest());
      List<PendingSignature> signatures = new ArrayList<>();
      for (int i = 0; i < documents.size(); i++) {
        signatures.add(begin(request.documents().get(i), documents.get(i), key));
      }
      return signatures;
    } catch (IOException | DocumentSigningException e) {
      cancel(act, e);
      throw e;
    }
  }

  private static PendingSignature begin(
      DocumentToSign document, PreparedDocument prepared, ActKey key)
      throws DocumentSigningException {
    try {
      return prepared.with(key);
    } catch (RuntimeException e) {
      throw new DocumentSigningException(unsuitable(document, e), e);
    }
  }

  private static String unsuitable(DocumentToSign document, RuntimeException e) {
    return "%s cannot be signed as %s: %s"
        .formatted(document.contents().get(0).name(), document.format(), e.getMessage());
  }

  /** Best effort: the key would be destroyed a little later anyway. */
  private void cancel(Act act, Exception reason) throws InterruptedException {
    try {
      client.cancelAct(act.actId());
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  private static void requireValid(List<PendingSignature> signatures, List<byte[]> values)
      throws IOException {
    if (values.size() != signatures.size()) {
      throw new IOException(
          "the service answered %s signatures instead of %s"
              .formatted(values.size(), signatures.size()));
    }
    for (int i = 0; i < values.size(); i++) {
      if (!signatures.get(i).isValid(values.get(i))) {
        throw new IOException("the service answered a signature that its certificate denies");
      }
    }
  }
}
