package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;
import org.keywell.dss.Document;
import org.keywell.dss.DocumentFormat;
import org.keywell.dss.DocumentSignRequest;
import org.keywell.dss.DocumentToSign;
import org.keywell.dss.DocumentVerification;
import org.keywell.dss.KeywellDocumentSigner;
import org.keywell.dss.LogProofException;
import org.keywell.dss.LogProofs;
import org.keywell.dss.SignedDocuments;
import org.keywell.dss.UnsuitableDocumentException;
import org.keywell.dss.VisibleSignature;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.tlog.NoteKey;
import org.keywell.tlog.TlogProof;

/** Documents of all formats, signed by keys of an HSM, pass EU DSS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DocumentsIT {
  private static final Signer ASTRID = Signer.named("Astrid Lindgren");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Site site;
  private RunningKeywell keywell;
  private KeywellClient client;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    site = Site.create(home);
    site.stock(KeySpec.RSA_2048, 6);
    site.stock(KeySpec.EC_P256, 4);
    keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(KeySpec.RSA_2048, 6),
                Settings.pool(KeySpec.EC_P256, 4),
                Map.of(
                    "keywell.sign.max-digests",
                    "20",
                    "keywell.log.origin",
                    "sign.example.org/log")));
    client = new KeywellClient(keywell.http().base());
  }

  @AfterAll
  void stop() {
    client.close();
    keywell.close();
    site.close();
  }

  /** One act with a document of each format: one key signs them all. */
  @ParameterizedTest
  @CsvSource({"RSA-2048,RSASSA-PKCS1-v1_5", "RSA-2048,RSASSA-PSS", "EC-P256,ECDSA"})
  void dssPassesEachFormat(String keySpec, String algorithm) throws Exception {
    DocumentSignRequest.Builder request =
        DocumentSignRequest.by(ASTRID).keySpec(keySpec).signatureAlgorithm(algorithm);
    for (DocumentFormat format : DocumentFormat.values()) {
      request.document(DocumentToSign.of(content(format), format));
    }

    SignedDocuments signed = new KeywellDocumentSigner(client).sign(request.build());

    DocumentVerification verification =
        DocumentVerification.trusting(List.of(signed.certificateChain().getLast()));
    assertThat(signed.documents()).hasSize(DocumentFormat.values().length);
    Iterator<Document> documents = signed.documents().iterator();
    for (DocumentFormat format : DocumentFormat.values()) {
      assertThat(
              verification
                  .verify(
                      documents.next(), format.detached() ? List.of(content(format)) : List.of())
                  .signatures())
          .as(format.toString())
          .singleElement()
          .satisfies(signature -> {
            assertThat(signature.indication()).as(signature.toString()).isEqualTo("TOTAL_PASSED");
            assertThat(signature.level()).endsWith("-BASELINE-B");
            assertThat(signature.signer()).isEqualTo(ASTRID.commonName());
          });
    }
    assertThat(
            site.sql()
                .text(
                    "SELECT status || ' ' || act_digests || ' ' || cardinality(signatures)"
                        + " FROM sign_request WHERE request_id = '"
                        + signed.answer().requestId()
                        + "'"))
        .isEqualTo("signed 9 9");
  }

  /** The service makes the CMS, so that its certificate need not be known before. */
  @ParameterizedTest
  @CsvSource({"RSA-2048,RSASSA-PKCS1-v1_5", "RSA-2048,RSASSA-PSS", "EC-P256,ECDSA"})
  void aPdfByItselfTakesOneCall(String keySpec, String algorithm) throws Exception {
    DocumentSignRequest request =
        DocumentSignRequest.by(ASTRID)
            .keySpec(keySpec)
            .signatureAlgorithm(algorithm)
            .document(
                DocumentToSign.pdf(pdf(), VisibleSignature.onPage(1, 20, 20).saying("Agreed.")))
            .build();

    SignedDocuments signed = new KeywellDocumentSigner(client).sign(request);

    assertThat(
            DocumentVerification.trusting(List.of(signed.certificateChain().getLast()))
                .verify(signed.document())
                .signatures())
        .singleElement()
        .satisfies(signature -> {
          assertThat(signature.indication()).as(signature.toString()).isEqualTo("TOTAL_PASSED");
          assertThat(signature.level()).isEqualTo("PAdES-BASELINE-B");
        });
    assertThat(
            site.sql()
                .text(
                    "SELECT status || ' ' || container || ' ' || (act_digests IS NULL)"
                        + " FROM sign_request WHERE request_id = '"
                        + request.requestId()
                        + "'"))
        .isEqualTo("signed PAdES-BASELINE-B true");
  }

  /** In one call and in two: what is digested differs. */
  @ParameterizedTest
  @CsvSource({"PADES", "XADES_ENVELOPING"})
  void theProofIsVerifiedByTheLogsKeyOnly(DocumentFormat format) throws Exception {
    Document content = format == DocumentFormat.PADES ? pdf() : bytes("contract.txt", "Agreed.");
    SignedDocuments signed =
        new KeywellDocumentSigner(client)
            .sign(DocumentSignRequest.by(ASTRID).document(content, format).build());
    String key = new String(client.log("key").orElseThrow(), StandardCharsets.UTF_8);
    KeyPairGenerator other = KeyPairGenerator.getInstance("Ed25519");
    NoteKey wrong = NoteKey.of("sign.example.org/log", other.generateKeyPair().getPublic());
    SignedDocuments withoutDigests =
        new SignedDocuments(signed.documents(), List.of(), signed.answer(), signed.times());

    byte[] proof = new LogProofs(client, key).of(signed, PATIENCE);

    assertThat(new String(TlogProof.parse(proof).extra(), StandardCharsets.UTF_8))
        .contains(signed.answer().requestId());
    assertThatThrownBy(() -> new LogProofs(client, wrong.toString()).of(signed, PATIENCE))
        .isInstanceOf(LogProofException.class)
        .hasMessageContaining("no key of the log has signed");
    assertThatThrownBy(() -> new LogProofs(client, key).of(withoutDigests, PATIENCE))
        .isInstanceOf(LogProofException.class)
        .hasMessageContaining("other digests");
  }

  @Test
  void nothingIsAskedForWhereOneDocumentIsNone() throws Exception {
    String id = UUID.randomUUID().toString();
    DocumentSignRequest request =
        DocumentSignRequest.by(ASTRID)
            .requestId(id)
            .document(bytes("contract.txt", "Agreed."), DocumentFormat.CADES)
            .document(bytes("no.pdf", "%PDF-1.7 nothing"), DocumentFormat.PADES)
            .build();

    assertThatThrownBy(() -> new KeywellDocumentSigner(client).sign(request))
        .isInstanceOf(UnsuitableDocumentException.class);

    assertThat(
            site.sql().count("SELECT count(*) FROM sign_request WHERE request_id = '" + id + "'"))
        .isZero();
  }

  private static Document content(DocumentFormat format) {
    return switch (format) {
      case PADES -> pdf();
      case XADES_ENVELOPED, XADES_ENVELOPING, XADES_DETACHED ->
          bytes("contract.xml", "<contract>Astrid rents the boat to Birger.</contract>");
      case JADES -> bytes("contract.json", "{\"boat\":\"rented to Birger\"}");
      case CADES, CADES_DETACHED, ASICE_XADES, ASICE_CADES ->
          bytes("contract.txt", "Astrid rents the boat to Birger.");
    };
  }

  private static Document bytes(String name, String content) {
    return new Document(name, content.getBytes(StandardCharsets.UTF_8));
  }

  /** The smallest there is: one empty page. */
  private static Document pdf() {
    List<String> objects =
        List.of(
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>");
    StringBuilder pdf = new StringBuilder("%PDF-1.7\n");
    StringBuilder table = new StringBuilder("xref\n0 4\n0000000000 65535 f \n");
    for (String object : objects) {
      table.append(String.format(Locale.ROOT, "%010d 00000 n \n", pdf.length()));
      pdf.append(objects.indexOf(object) + 1)
          .append(" 0 obj\n")
          .append(object)
          .append("\nendobj\n");
    }
    int start = pdf.length();
    pdf.append(table).append("trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n");
    return bytes("contract.pdf", pdf.append(start).append("\n%%EOF\n").toString());
  }
}
