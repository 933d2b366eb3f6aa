package org.keywell.dss;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.ca.standin.StandInService;
import org.keywell.ca.token.LongChain;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;

/** Ten certificates of 4 KB are more than a PDF usually keeps space for. */
class ContainerSpaceTest {
  @TempDir private Path directory;
  private final AtomicInteger chainRequests = new AtomicInteger();
  private StandInService service;
  private KeywellClient client;
  private KeywellDocumentSigner signer;

  @BeforeEach
  void start() throws Exception {
    service = new StandInService(LongChain.authority(10, 3700));
    client = new KeywellClient(service.uri());
    signer = new KeywellDocumentSigner(client);
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
  }

  private void serveChain(String path) {
    service.serve(
        path,
        exchange -> {
          try (exchange) {
            chainRequests.incrementAndGet();
            byte[] pem = pem(service.chain()).getBytes(StandardCharsets.US_ASCII);
            exchange.getResponseHeaders().set("Content-Type", "application/pem-certificate-chain");
            exchange.sendResponseHeaders(200, pem.length);
            exchange.getResponseBody().write(pem);
          }
        });
  }

  private static String pem(List<X509Certificate> chain) {
    StringBuilder pem = new StringBuilder();
    for (X509Certificate certificate : chain) {
      try {
        pem.append("-----BEGIN CERTIFICATE-----\n")
            .append(Base64.getMimeEncoder().encodeToString(certificate.getEncoded()))
            .append("\n-----END CERTIFICATE-----\n");
      } catch (CertificateEncodingException e) {
        throw new AssertionError(e);
      }
    }
    return pem.toString();
  }

  private DocumentSignRequest request(DocumentToSign document) {
    return DocumentSignRequest.by(Signer.named("Astrid Lindgren")).document(document).build();
  }

  private void requireValid(Document signed) {
    requireValid(signed, "PAdES-BASELINE-B", List.of(service.root()));
  }

  private static void requireValid(Document signed, String level, List<X509Certificate> roots) {
    VerifiedDocument verified = DocumentVerification.trusting(roots).verify(signed);
    assertThat(verified.signatures()).hasSize(1);
    assertThat(verified.signatures().getFirst().level()).isEqualTo(level);
    assertThat(verified.passed()).as(verified.toString()).isTrue();
  }

  @Test
  void aLongChainIsAskedForBeforeAKeyIsSpent() throws Exception {
    serveChain("/ca/chain");

    for (int document = 1; document <= 2; document++) {
      requireValid(signer.sign(Samples.pdf(), DocumentFormat.PADES, Signer.named("A")));
      assertThat(service.signedInOneCall()).hasSize(document);
    }
    assertThat(chainRequests).hasValue(1);
  }

  /** As after a renewal under another CA, or without the right to ask for the chain. */
  @Test
  void whatIsLargerThanExpectedIsSignedOnceMore() throws Exception {
    DocumentSignRequest request = request(DocumentToSign.of(Samples.pdf(), DocumentFormat.PADES));

    SignedDocuments signed = signer.sign(request);

    requireValid(signed.document());
    assertThat(service.signedInOneCall())
        .hasSize(2)
        .startsWith(request.requestId())
        .endsWith(signed.answer().requestId())
        .doesNotHaveDuplicates();
    assertThat(service.signed(signed.answer().requestId()).digests().getFirst())
        .isEqualTo(signed.digests().getFirst());
    requireValid(signer.sign(Samples.pdf(), DocumentFormat.PADES, Signer.named("A")));
    assertThat(service.signedInOneCall()).as("it is remembered").hasSize(3);
  }

  @Test
  void inTwoCallsTheChainIsKnown() throws Exception {
    requireValid(
        signer
            .sign(request(DocumentToSign.pdf(Samples.pdf(), VisibleSignature.atFreePlace())))
            .document());

    assertThat(service.openedActs()).isEqualTo(1);
    assertThat(chainRequests).hasValue(0);
  }

  @Test
  void theServicesTimeStampsHaveALongChainToo() throws Exception {
    serveChain("/tsa/chain");
    try (TimestampServer stamps = new TimestampServer(directory)) {
      stamps.include(pem(service.chain()));
      service.serve("/tsa", stamps::handle);

      Document signed =
          KeywellDocumentSigner.withTimestampsOfTheService(client)
              .sign(Samples.pdf(), DocumentFormat.PADES, Signer.named("A"));

      requireValid(signed, "PAdES-BASELINE-T", List.of(service.root(), stamps.root()));
    }
  }

  @Test
  void aTimeStampThatDoesNotFitIsMadeAgainWhereNoKeyIsSpent() throws Exception {
    Document signed = signer.sign(Samples.pdf(), DocumentFormat.PADES, Signer.named("A"));
    try (TimestampServer stamps = new TimestampServer(directory)) {
      stamps.include(pem(service.chain()));
      List<X509Certificate> roots = List.of(service.root(), stamps.root());

      Document extended =
          new DocumentExtender(
                  new TimestampAuthority(stamps.uri()), ValidationSources.trusting(roots))
              .extend(signed, BaselineLevel.T);

      requireValid(extended, "PAdES-BASELINE-T", roots);
    }
  }
}
