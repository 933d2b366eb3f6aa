package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.ca.token.PemCertificates;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.FreePort;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.PostgresForTests.Database;

/** openssl asks about certificates, at the address that they name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
final class OcspIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String RESULTS = "keywell_ocsp_answers_total";

  private final HttpClient client = HttpClient.newHttpClient();
  private Path home;
  private int port;
  private OpenSsl openssl;
  private FaultyModule module;
  private Site site;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    home = directory;
    port = FreePort.find();
    openssl = new OpenSsl(home);
    module = FaultyModule.create(home.resolve("module"));
    site = Site.create(home, module.path());
    site.stock(SPEC, 60);
    Database owner = site.database().asOwner();
    keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(SPEC, 10),
                Map.of(
                    "keywell.ca.crl.uri",
                    "http://127.0.0.1:%d/ca/crl/".formatted(port),
                    "keywell.ca.crl.port",
                    Integer.toString(port),
                    "keywell.ca.crl.fresh",
                    "1s",
                    "keywell.ca.ocsp.uri",
                    "http://127.0.0.1:%d/ca/ocsp/".formatted(port),
                    "keywell.ca.profile.crls-by-day",
                    "true",
                    "keywell.tsa.enabled",
                    "true",
                    "keywell.hsm.call-limit",
                    "2s",
                    "keywell.hsm.hang-limit",
                    "0",
                    "keywell.database.owner.username",
                    owner.username(),
                    "keywell.database.owner.password",
                    owner.password())));
    keywell.awaitLoaded(SPEC, 10);
  }

  @AfterAll
  void stop() throws IOException {
    client.close();
    keywell.close();
    site.close();
    module.close();
  }

  private List<X509Certificate> signed(UUID requestId) throws Exception {
    List<X509Certificate> chain =
        SignedAnswer.of(
                keywell.http().sign(SignBody.of("a contract").keySpec(SPEC).requestId(requestId)))
            .chain();
    openssl.write("leaf.pem", PemCertificates.write(chain.subList(0, 1)));
    openssl.write("issuing.pem", PemCertificates.write(chain.subList(1, 2)));
    return chain;
  }

  private URI responder() throws Exception {
    return URI.create(openssl.run("x509", "-in", "leaf.pem", "-noout", "-ocsp_uri").strip());
  }

  /** What openssl says after it has asked, and verified the answer. */
  private String verdict(String... options) throws Exception {
    return openssl.attempt(
        command(List.of("-url", responder().toString(), "-CAfile", "ca/root.pem"), options));
  }

  private static String[] command(List<String> first, String... options) {
    List<String> command = new ArrayList<>(List.of("ocsp", "-issuer", "issuing.pem"));
    command.addAll(first);
    command.addAll(Arrays.asList(options));
    return command.toArray(String[]::new);
  }

  private HttpResponse<byte[]> get(URI address, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    return client.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> post(URI address, byte[] request) throws Exception {
    return client.send(
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/ocsp-request")
            .POST(HttpRequest.BodyPublishers.ofByteArray(request))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private byte[] request(String... options) throws Exception {
    openssl.run(command(List.of("-reqout", "request.der"), options));
    return Files.readAllBytes(home.resolve("request.der"));
  }

  private String verdict(HttpResponse<byte[]> answer) throws Exception {
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/ocsp-response");
    Files.write(home.resolve("answer.der"), answer.body());
    return openssl.attempt(
        command(
            List.of("-no_nonce", "-respin", "answer.der", "-CAfile", "ca/root.pem"),
            "-cert",
            "leaf.pem"));
  }

  private static URI in(URI responder, String base64) {
    return URI.create(responder + "/" + base64);
  }

  @Test
  void aCertificateIsGoodUntilItIsRevoked() throws Exception {
    UUID id = UUID.randomUUID();
    List<X509Certificate> chain = signed(id);
    assertThat(responder().toString())
        .matches("http://127\\.0\\.0\\.1:%d/ca/ocsp/[0-9a-f]{40}".formatted(port));

    assertThat(verdict("-cert", "leaf.pem")).contains("Response verify OK", "leaf.pem: good");
    assertThat(verdict("-sha256", "-cert", "leaf.pem")).contains("leaf.pem: good");
    assertThat(verdict("-no_nonce", "-cert", "leaf.pem")).contains("leaf.pem: good");

    HttpApi.Answer revoked =
        keywell
            .http()
            .post(
                "/ca/revocations",
                "application/json",
                HttpRequest.BodyPublishers.ofString(
                    "{\"serial\": \"%s\", \"reason\": \"superseded\"}"
                        .formatted(chain.getFirst().getSerialNumber().toString(16))));
    assertThat(revoked.status()).isEqualTo(200);

    assertThat(verdict("-cert", "leaf.pem"))
        .as("with a nonce, at once")
        .contains("Response verify OK", "leaf.pem: revoked", "Reason: superseded");
    Await.until(
        "the answer of before is no longer used",
        () -> verdict("-no_nonce", "-cert", "leaf.pem").contains("leaf.pem: revoked"));
    assertThat(keywell.scrape().value(RESULTS, "result", "good")).isGreaterThanOrEqualTo(3);
    assertThat(keywell.scrape().value(RESULTS, "result", "revoked")).isGreaterThanOrEqualTo(2);
  }

  @Test
  void whatWasNotIssuedToASignerIsUnknown() throws Exception {
    signed(UUID.randomUUID());
    assertThat(verdict("-serial", "0x7777777777777777"))
        .contains("Response verify OK", ": unknown");

    List<X509Certificate> unit = PemCertificates.read(keywell.http().text("/tsa/chain"));
    openssl.write("unit.pem", PemCertificates.write(unit.subList(0, 1)));
    assertThat(verdict("-cert", "unit.pem")).contains("unit.pem: unknown");
    assertThat(openssl.run("x509", "-in", "unit.pem", "-noout", "-ocsp_uri")).isEmpty();

    openssl.write("issuing.pem", PemCertificates.write(unit.subList(2, 3)));
    assertThat(verdict("-serial", "5")).contains("unauthorized (6)");
  }

  @Test
  void answersCanBeCachedIfTheAddressHasTheRequest() throws Exception {
    signed(UUID.randomUUID());
    byte[] request = request("-no_nonce", "-cert", "leaf.pem");
    String text = Base64.getEncoder().encodeToString(request);

    HttpResponse<byte[]> escaped =
        get(in(responder(), URLEncoder.encode(text, StandardCharsets.US_ASCII)));
    assertThat(verdict(escaped)).contains("Response verify OK", "leaf.pem: good");
    assertThat(escaped.headers().firstValue("Cache-Control")).contains("max-age=60, public");
    assertThat(escaped.headers().firstValue("Expires")).isPresent();
    assertThat(escaped.headers().firstValue("Last-Modified")).isPresent();
    String tag = escaped.headers().firstValue("ETag").orElseThrow();
    assertThat(tag).matches("\"[0-9a-f]{64}\"");
    HttpResponse<byte[]> plain = get(in(responder(), text));
    assertThat(verdict(plain)).contains("leaf.pem: good");

    HttpResponse<byte[]> own = post(responder(), request("-cert", "leaf.pem"));
    assertThat(verdict(own)).contains("leaf.pem: good");
    assertThat(own.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(verdict(post(URI.create(keywell.http().base() + responder().getPath()), request)))
        .as("at the service's port, too")
        .contains("leaf.pem: good");
  }

  /** base64 with two slashes in a row, and at its end, means no other address. */
  @Test
  void everyRequestFitsIntoAnAddress() throws Exception {
    signed(UUID.randomUUID());
    byte[] request = request("-no_nonce", "-cert", "leaf.pem");
    URI responder = responder();
    SecureRandom random = new SecureRandom();
    for (int i = 0; i < 20; i++) {
      byte[] changed = request.clone();
      random.nextBytes(changed);
      Arrays.fill(changed, 6, 12, (byte) 0xFF);
      assertThat(verdict(get(in(responder, Base64.getEncoder().encodeToString(changed)))))
          .contains("malformedrequest (1)");
    }
  }

  @Test
  void whatIsNoRequestIsMalformed() throws Exception {
    signed(UUID.randomUUID());
    URI responder = responder();
    byte[] request = request("-cert", "leaf.pem");
    byte[] nested = new byte[4_000];
    for (int i = 0; i < nested.length; i += 2) {
      nested[i] = 0x30;
      nested[i + 1] = (byte) 0x80;
    }
    for (byte[] bad :
        List.of(
            new byte[0], new byte[] {0x30}, Arrays.copyOf(request, 50), nested, new byte[5_000])) {
      assertThat(verdict(post(responder, bad))).contains("malformedrequest (1)");
    }
    assertThat(verdict(get(in(responder, "===="))))
        .as("no base64")
        .contains("malformedrequest (1)");
    assertThat(verdict(post(responder.resolve("0a".repeat(20)), request)))
        .as("the address of another CA")
        .contains("unauthorized (6)");
    assertThat(get(responder).statusCode()).isEqualTo(405);
    assertThat(get(responder.resolve("x")).statusCode()).isEqualTo(404);
  }

  @Test
  void clientsTryLaterWhileTheHsmDoesNotSign() throws Exception {
    signed(UUID.randomUUID());
    assertThat(verdict("-no_nonce", "-cert", "leaf.pem")).contains("leaf.pem: good");

    module.inject("C_Sign", Fault.corrupting());
    assertThat(verdict("-cert", "leaf.pem")).contains("trylater (3)");
    module.clear("C_Sign");

    Await.until("it signs again", () -> verdict("-cert", "leaf.pem").contains("leaf.pem: good"));
  }
}
