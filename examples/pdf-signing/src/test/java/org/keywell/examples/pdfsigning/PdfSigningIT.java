package org.keywell.examples.pdfsigning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;
import org.keywell.dss.Document;
import org.keywell.dss.DocumentFormat;
import org.keywell.dss.DocumentVerification;
import org.keywell.dss.KeywellDocumentSigner;
import org.keywell.dss.TimestampMissingException;
import org.keywell.dss.VerifiedSignature;
import org.keywell.spring.KeywellClientAutoConfiguration;
import org.keywell.spring.KeywellDocumentsAutoConfiguration;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.client.RestClient;

/** The example as its users meet it, in front of a real service. */
@SpringBootTest(
    classes = PdfSigningApplication.class,
    webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Tag("softhsm")
@Tag("process")
final class PdfSigningIT {

  private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

  @TempDir static Path home;
  private static @Nullable KeywellService keywell;

  @Autowired private KeywellClient client;
  @Autowired private KeywellDocumentSigner signer;
  @LocalServerPort private int port;

  @DynamicPropertySource
  static void whereKeywellIs(DynamicPropertyRegistry settings) throws Exception {
    KeywellService started = KeywellService.start(home);
    keywell = started;
    settings.add("keywell.client.uri", started::uri);
  }

  @AfterAll
  static void stop() {
    if (keywell != null) {
      keywell.close();
    }
  }

  @Test
  void aPdfComesBackSignedForAnybodyToVerify() throws Exception {
    ResponseEntity<byte[]> answer = upload(contract(), "Astrid Exempel");

    assertThat(answer.getStatusCode().value()).isEqualTo(200);
    assertThat(answer.getHeaders().getContentType()).isEqualTo(MediaType.APPLICATION_PDF);
    assertThat(answer.getHeaders().getContentDisposition().getFilename())
        .isEqualTo("contract-signed.pdf");
    byte[] signed = body(answer);
    assertThat(signed).startsWith(contract());
    assertThat(dss(signed))
        .singleElement()
        .satisfies(signature -> {
          assertThat(signature.passed()).as(signature.toString()).isTrue();
          assertThat(signature.level()).isEqualTo("PAdES-BASELINE-B");
          assertThat(signature.signer()).isEqualTo("Astrid Exempel");
        });
    assertThat(PdfSig.trusting(root(), home).look(signed))
        .contains("Signature is Valid.", "Certificate is Trusted.", "Astrid Exempel");
  }

  /** There DSS has another order of the class path than in this JVM. */
  @Test
  void theExecutableJarSignsAPdfThatIsSignedAlready() throws Exception {
    Path log = home.resolve("pdf-signing.log");
    Process jar =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-jar",
                Path.of("target", "pdf-signing-exec.jar").toString(),
                "--server.port=0",
                "--keywell.client.uri=" + Objects.requireNonNull(keywell).uri())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      int at = Integer.parseInt(KeywellService.await(STARTED, jar, log));
      byte[] once = body(upload(at, contract(), "Astrid Exempel"));
      byte[] twice = body(upload(at, once, "Bo Exempel"));

      assertThat(twice).startsWith(once);
      assertThat(dss(twice))
          .allMatch(VerifiedSignature::passed)
          .extracting(VerifiedSignature::signer)
          .containsExactlyInAnyOrder("Astrid Exempel", "Bo Exempel");
    } finally {
      jar.destroy();
      assertThat(jar.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aChangedPdfIsNoLongerWhatWasSigned() throws Exception {
    byte[] signed = body(upload(contract(), "Astrid Exempel"));
    int at = new String(signed, StandardCharsets.ISO_8859_1).indexOf("The parties agree");
    signed[at] ^= 1;
    assertThat(dss(signed))
        .singleElement()
        .satisfies(signature -> assertThat(signature.passed()).isFalse());
    assertThat(PdfSig.trusting(root(), home).look(signed))
        .contains("Digest Mismatch.")
        .doesNotContain("Signature is Valid.");
  }

  @Test
  void whatIsNoPdfIsRefused() {
    ResponseEntity<byte[]> answer =
        upload("no PDF".getBytes(StandardCharsets.UTF_8), "Astrid Exempel");
    assertThat(answer.getStatusCode().value()).isEqualTo(422);
    assertThat(text(answer)).contains("this file cannot be signed");
  }

  @Test
  void aNameThatNoCertificateMayHaveIsRefused() throws Exception {
    ResponseEntity<byte[]> answer = upload(contract(), "Astrid  Exempel");
    assertThat(answer.getStatusCode().value()).isEqualTo(422);
    assertThat(text(answer)).contains("this name cannot be in a certificate");
  }

  @Test
  void healthAndMetricsKnowOfTheService() throws Exception {
    upload(contract(), "Astrid Exempel");
    assertThat(text(get("/actuator/health/keywell"))).contains("\"status\":\"UP\"");
    assertThat(text(get("/actuator/metrics/keywell.client.call")))
        .contains("\"operation\"", "\"outcome\"", "\"problem\"");
  }

  @Test
  void thereIsAPageToTryIt() {
    assertThat(text(get("/"))).contains("action=\"/documents\"", "name=\"file\"", "name=\"name\"");
  }

  @Test
  void theJavaOfTheDocumentationSigns(@TempDir Path directory) throws Exception {
    Files.write(directory.resolve("contract.pdf"), contract());
    Snippets.onePdf(client, directory);
    assertThat(dss(Files.readAllBytes(directory.resolve("contract-signed.pdf"))))
        .singleElement()
        .matches(VerifiedSignature::passed);

    Document annex = new Document("annex.txt", "twelve pages".getBytes(StandardCharsets.UTF_8));
    List<Document> both =
        Snippets.several(signer, Document.read(directory.resolve("contract.pdf")), annex);
    assertThat(both)
        .extracting(Document::name)
        .containsExactly("contract-signed.pdf", "annex-signed.p7s");
    DocumentVerification verification = DocumentVerification.trusting(List.of(root()));
    assertThat(verification.verify(both.get(0)).passed()).isTrue();
    assertThat(verification.verify(both.get(1), List.of(annex)).passed()).isTrue();
  }

  @Test
  void anAuthorityThatIsSetIsAskedForATimeStamp() {
    new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                KeywellClientAutoConfiguration.class, KeywellDocumentsAutoConfiguration.class))
        .withBean(KeywellClient.class, () -> client)
        .withPropertyValues("keywell.client.timestamp.uri=http://127.0.0.1:1/")
        .run(context ->
            assertThatThrownBy(() ->
                    context
                        .getBean(KeywellDocumentSigner.class)
                        .sign(
                            new Document("contract.pdf", contract()),
                            DocumentFormat.PADES,
                            Signer.named("Astrid Exempel")))
                .isInstanceOf(TimestampMissingException.class));
  }

  private List<VerifiedSignature> dss(byte[] signed) throws Exception {
    return DocumentVerification.trusting(List.of(root()))
        .verify(new Document("contract-signed.pdf", signed))
        .signatures();
  }

  /** As the service says it: fine for a test, and for nobody else. */
  private X509Certificate root() throws Exception {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(
            new ByteArrayInputStream(client.chainPem().getBytes(StandardCharsets.US_ASCII)))
        .stream()
        .map(X509Certificate.class::cast)
        .reduce((_, last) -> last)
        .orElseThrow();
  }

  private static byte[] contract() throws IOException {
    try (InputStream in = PdfSigningIT.class.getResourceAsStream("/contract.pdf")) {
      return in.readAllBytes();
    }
  }

  private ResponseEntity<byte[]> upload(byte[] pdf, String name) {
    return upload(port, pdf, name);
  }

  private static ResponseEntity<byte[]> upload(int port, byte[] pdf, String name) {
    HttpHeaders file = new HttpHeaders();
    file.setContentType(MediaType.APPLICATION_PDF);
    file.setContentDispositionFormData("file", "contract.pdf");
    MultiValueMap<String, Object> form = new LinkedMultiValueMap<>();
    form.add("file", new HttpEntity<>(new ByteArrayResource(pdf), file));
    form.add("name", name);
    return http(port)
        .post()
        .uri("/documents")
        .contentType(MediaType.MULTIPART_FORM_DATA)
        .body(form)
        .retrieve()
        .toEntity(byte[].class);
  }

  private ResponseEntity<byte[]> get(String path) {
    return http(port).get().uri(path).retrieve().toEntity(byte[].class);
  }

  private static RestClient http(int port) {
    return RestClient.builder()
        .baseUrl("http://127.0.0.1:" + port)
        .defaultStatusHandler(_ -> true, (_, _) -> {})
        .build();
  }

  private static String text(ResponseEntity<byte[]> answer) {
    return new String(body(answer), StandardCharsets.UTF_8);
  }

  private static byte[] body(ResponseEntity<byte[]> answer) {
    return Objects.requireNonNull(answer.getBody(), () -> "no body: " + answer);
  }
}
