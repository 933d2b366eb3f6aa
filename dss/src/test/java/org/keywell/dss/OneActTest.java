package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.standin.StandInService;
import org.keywell.client.IdentityProof;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** One act: one key, one certificate, all documents or none. */
class OneActTest {
  private static final Signer ASTRID = Signer.named("Astrid Lindgren");

  private StandInService service;
  private KeywellClient client;

  @BeforeEach
  void start() throws IOException {
    service = new StandInService();
    client = new KeywellClient(service.uri());
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
  }

  private VerifiedDocument verify(Document signed) {
    return DocumentVerification.trusting(List.of(service.root())).verify(signed);
  }

  @Test
  void documentsOfSeveralFormatsGetOneKey() throws Exception {
    DocumentSignRequest request =
        DocumentSignRequest.by(ASTRID)
            .document(Samples.pdf(), DocumentFormat.PADES)
            .document(Samples.xml(), DocumentFormat.XADES_ENVELOPED)
            .document(Samples.json(), DocumentFormat.JADES)
            .document(
                DocumentToSign.container(
                    List.of(Samples.pdf(), Samples.text()), DocumentFormat.ASICE_CADES))
            .build();

    SignedDocuments signed = new KeywellDocumentSigner(client).sign(request);

    assertThat(service.signedActs()).containsExactly(request.requestId());
    assertThat(signed.documents())
        .extracting(Document::name)
        .containsExactly(
            "contract-signed.pdf",
            "contract-signed.xml",
            "contract-signed.json",
            "contract-signed.asice");
    assertThat(signed.documents()).allSatisfy(one -> assertThat(verify(one).passed()).isTrue());
    assertThat(signed.certificateChain()).hasSize(3);
    assertThat(signed.times().total()).isPositive();
  }

  @Test
  void theSameRequestAgainGetsTheSameDocuments() throws Exception {
    DocumentSignRequest request =
        DocumentSignRequest.by(ASTRID)
            .document(DocumentToSign.pdf(Samples.pdf(), VisibleSignature.onPage(1, 40, 400)))
            .document(Samples.xml(), DocumentFormat.XADES_ENVELOPED)
            .build();
    KeywellDocumentSigner signer = new KeywellDocumentSigner(client);

    List<Document> first = signer.sign(request).documents();
    List<Document> second = signer.sign(request).documents();

    assertThat(second.get(0).content()).isEqualTo(first.get(0).content());
    assertThat(second.get(1).content()).isEqualTo(first.get(1).content());
  }

  @Test
  void forADocumentThatIsNoneNothingIsAsked() {
    Document broken = new Document("a.pdf", "%PDF-1.7 ?".getBytes(StandardCharsets.US_ASCII));
    DocumentSignRequest request =
        DocumentSignRequest.by(ASTRID)
            .document(Samples.pdf(), DocumentFormat.PADES)
            .document(broken, DocumentFormat.PADES)
            .build();

    assertThatThrownBy(() -> new KeywellDocumentSigner(client).sign(request))
        .isInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining("a.pdf cannot be signed as PADES");
    assertThat(service.openedActs()).isZero();
  }

  /** Only the service knows the name, and learns it from the ticket. */
  @Test
  void anActWhoseNameCannotBeShownIsCancelled() {
    String id = UUID.randomUUID().toString();
    DocumentSignRequest request =
        DocumentSignRequest.by(new IdentityProof("jwt", "\u5c71\u7530", null))
            .requestId(id)
            .document(DocumentToSign.pdf(Samples.pdf(), VisibleSignature.atFreePlace()))
            .build();

    assertThatThrownBy(() -> new KeywellDocumentSigner(client).sign(request))
        .isInstanceOf(DocumentSigningException.class)
        .isNotInstanceOf(UnsuitableDocumentException.class)
        .hasMessageContaining("U+5C71");
    assertThat(service.signedActs()).isEmpty();
    assertThat(service.cancelledActs()).containsExactly(id);
  }

  @Test
  void whatWasSignedIsNotLostWhereNoTimeStampComes(@TempDir Path directory) throws Exception {
    try (TimestampServer timestamps = new TimestampServer(directory)) {
      timestamps.breakDown();
      DocumentSignRequest.Builder request = DocumentSignRequest.by(ASTRID);
      for (DocumentFormat format : DocumentFormat.values()) {
        if (!format.detached()) {
          request.document(Samples.of(format), format);
        }
      }
      KeywellDocumentSigner signer =
          new KeywellDocumentSigner(client, new TimestampAuthority(timestamps.uri()));

      TimestampMissingException missing =
          catchThrowableOfType(TimestampMissingException.class, () -> signer.sign(request.build()));

      assertThat(missing.withoutTimestamp().documents())
          .hasSize(7)
          .allSatisfy(document ->
              assertThat(verify(document).signatures())
                  .singleElement()
                  .satisfies(signature -> {
                    assertThat(signature.indication()).isEqualTo("TOTAL_PASSED");
                    assertThat(signature.level()).endsWith("BASELINE-B");
                  }));
    }
  }

  @Test
  void theNextAuthorityStampsWhereOneDoesNot(@TempDir Path directory) throws Exception {
    try (TimestampServer timestamps = new TimestampServer(directory);
        ServerSocket silent = new ServerSocket(0)) {
      URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort());
      KeywellDocumentSigner signer =
          new KeywellDocumentSigner(
              client,
              List.of(
                  new TimestampAuthority(uri, Duration.ofMillis(200)),
                  new TimestampAuthority(timestamps.uri())));

      Document signed = signer.sign(Samples.pdf(), DocumentFormat.PADES, ASTRID);

      assertThat(verify(signed).signatures())
          .singleElement()
          .satisfies(signature -> assertThat(signature.level()).isEqualTo("PAdES-BASELINE-T"));
    }
  }

  @Test
  void anAuthorityThatSaysNothingIsWaitedForNoLongerThanItsTime() throws Exception {
    try (ServerSocket silent = new ServerSocket(0)) {
      URI uri = URI.create("http://127.0.0.1:" + silent.getLocalPort());
      KeywellDocumentSigner signer =
          new KeywellDocumentSigner(client, new TimestampAuthority(uri, Duration.ofMillis(200)));

      assertThatThrownBy(() -> signer.sign(Samples.text(), DocumentFormat.CADES, ASTRID))
          .isInstanceOf(TimestampMissingException.class);
    }
  }

  @Test
  void noSignatureClaimsATimeBeforeItsCertificate() throws Exception {
    Instant early = Instant.now().minus(Duration.ofDays(1));
    SignedDocuments signed =
        new KeywellDocumentSigner(client)
            .sign(
                DocumentSignRequest.by(ASTRID)
                    .signingTime(early)
                    .document(Samples.text(), DocumentFormat.CADES)
                    .build());

    assertThat(verify(signed.document()).signatures().getFirst().signingTime())
        .isEqualTo(signed.certificateChain().getFirst().getNotBefore().toInstant());
  }

  @Test
  void whatIsNoSignedDocumentDoesNotPass() {
    assertThat(verify(Samples.pdf()).passed()).isFalse();
    assertThat(verify(new Document("noise.bin", new byte[] {1, 2, 3})).passed()).isFalse();
    assertThat(verify(new Document("empty.bin", new byte[0])).passed()).isFalse();
  }

  @Test
  void anotherRootIsNotTrusted() throws Exception {
    Document signed =
        new KeywellDocumentSigner(client).sign(Samples.pdf(), DocumentFormat.PADES, ASTRID);
    try (StandInService other = new StandInService()) {
      VerifiedDocument verified =
          DocumentVerification.trusting(List.of(other.root())).verify(signed);

      assertThat(verified.signatures())
          .singleElement()
          .satisfies(signature -> {
            assertThat(signature.indication()).isEqualTo("INDETERMINATE");
            assertThat(signature.subIndication()).isEqualTo("NO_CERTIFICATE_CHAIN_FOUND");
          });
    }
  }
}
