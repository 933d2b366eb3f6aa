package org.keywell.acceptance;

import static java.time.format.DateTimeFormatter.RFC_1123_DATE_TIME;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.acceptance.running.ActCalls;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.token.PemCertificates;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.act.OpenActs;
import org.keywell.testkit.Await;
import org.keywell.testkit.FreePort;
import org.keywell.testkit.OpenSsl;

/**
 * Certificates are revoked over the API, and openssl finds that in the lists that they name, at the
 * port for everyone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
final class RevocationIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;

  private final HttpClient client = HttpClient.newHttpClient();
  private Path home;
  private int port;
  private OpenSsl openssl;
  private Site site;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    home = directory;
    port = FreePort.find();
    openssl = new OpenSsl(home);
    site = Site.create(directory);
    site.stock(SPEC, 60);
    keywell = run();
  }

  private RunningKeywell run() throws Exception {
    RunningKeywell running =
        RunningKeywell.start(
            site.settings(
                Settings.pool(SPEC, 10),
                Map.of(
                    "keywell.ca.crl.uri",
                    lists().toString(),
                    "keywell.ca.crl.port",
                    Integer.toString(port),
                    "keywell.ca.crl.fresh",
                    "1s",
                    "keywell.ca.profile.crls-by-day",
                    "true",
                    "keywell.log.origin",
                    "revocation.example/log",
                    "keywell.tsa.enabled",
                    "true")));
    running.awaitLoaded(SPEC, 10);
    return running;
  }

  private URI lists() {
    return URI.create("http://127.0.0.1:%d/ca/crl/".formatted(port));
  }

  @AfterAll
  void stop() throws IOException {
    client.close();
    keywell.close();
    site.close();
  }

  private SignedAnswer signed(UUID requestId) throws Exception {
    return SignedAnswer.of(
        keywell.http().sign(SignBody.of("a contract").keySpec(SPEC).requestId(requestId)));
  }

  private HttpApi.Answer revoke(String json) throws Exception {
    return keywell
        .http()
        .post("/ca/revocations", "application/json", HttpRequest.BodyPublishers.ofString(json));
  }

  /** What openssl says of a chain, after it has fetched the list that the first one names. */
  private String verdict(List<X509Certificate> chain) throws Exception {
    openssl.write("leaf.pem", PemCertificates.write(chain.subList(0, 1)));
    openssl.write("issuing.pem", PemCertificates.write(chain.subList(1, chain.size())));
    return openssl.attempt(
        "verify",
        "-x509_strict",
        "-crl_check",
        "-crl_download",
        "-CAfile",
        "ca/root.pem",
        "-untrusted",
        "issuing.pem",
        "leaf.pem");
  }

  private void awaitRevoked(List<X509Certificate> chain) throws Exception {
    Await.until(
        "the revocation is in its list", () -> verdict(chain).contains("certificate revoked"));
  }

  private HttpResponse<byte[]> get(URI address, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(address);
    return client.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  @Test
  void aSignersCertificateIsRevokedByRequestOrSerialNumber() throws Exception {
    UUID first = UUID.randomUUID();
    SignedAnswer one = signed(first);
    SignedAnswer two = signed(UUID.randomUUID());
    SignedAnswer three = signed(UUID.randomUUID());
    assertThat(verdict(one.chain())).contains("leaf.pem: OK");
    assertThat(verdict(one.chain().subList(1, one.chain().size())))
        .as("the issuing CA, by the root's list")
        .contains("leaf.pem: OK");

    HttpApi.Answer answer =
        revoke("{\"requestId\": \"%s\", \"reason\": \"keyCompromise\"}".formatted(first));

    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    String serial = one.chain().getFirst().getSerialNumber().toString(16);
    assertThat(answer.body().path("serial").asString()).isEqualTo(serial);
    assertThat(answer.body().path("reason").asString()).isEqualTo("keyCompromise");
    assertThat(answer.body().path("list").asString())
        .isEqualTo(CrlShard.namedBy(one.chain().getFirst()).orElseThrow().toString());
    awaitRevoked(one.chain());
    assertThat(verdict(two.chain())).contains("leaf.pem: OK");

    String second = two.chain().getFirst().getSerialNumber().toString(16);
    assertThat(
            revoke("{\"serial\": \"%s\", \"reason\": \"superseded\"}".formatted(second)).status())
        .isEqualTo(200);
    awaitRevoked(two.chain());
    assertThat(verdict(three.chain())).contains("leaf.pem: OK");
    assertThat(
            revoke("{\"serial\": \"%s\", \"reason\": \"unspecified\"}".formatted(second))
                .body()
                .path("reason")
                .asString())
        .as("a revocation is never changed")
        .isEqualTo("superseded");
  }

  /** Those who read the log have nothing else. */
  @Test
  void aSignersCertificateIsRevokedByTheCommitmentInTheLog() throws Exception {
    UUID id = UUID.randomUUID();
    SignedAnswer answer = signed(id);
    SignedAnswer another = signed(UUID.randomUUID());
    String commitment =
        site.sql()
            .text(
                """
                SELECT convert_from(entry, 'UTF8')::jsonb ->> 'signer' FROM log_pending
                WHERE convert_from(entry, 'UTF8')::jsonb ->> 'request' = '%1$s'
                UNION ALL
                SELECT convert_from(entry, 'UTF8')::jsonb ->> 'signer' FROM log_entry
                WHERE convert_from(entry, 'UTF8')::jsonb ->> 'request' = '%1$s'
                """
                    .formatted(id));

    HttpApi.Answer revoked =
        revoke("{\"signerCommitment\": \"%s\", \"reason\": \"superseded\"}".formatted(commitment));

    assertThat(revoked.status()).as(revoked.body().toString()).isEqualTo(200);
    awaitRevoked(answer.chain());
    assertThat(verdict(another.chain())).contains("leaf.pem: OK");
    assertThat(
            revoke(
                    "{\"signerCommitment\": \"%s\", \"reason\": \"superseded\"}"
                        .formatted("0".repeat(64)))
                .problem())
        .isEqualTo("certificate-unknown");
  }

  @Test
  void theServicesOwnCertificatesAreRevokedToo() throws Exception {
    List<X509Certificate> unit = PemCertificates.read(keywell.http().text("/tsa/chain"));
    assertThat(verdict(unit)).contains("leaf.pem: OK");

    String der = Base64.getEncoder().encodeToString(unit.getFirst().getEncoded());
    HttpApi.Answer answer =
        revoke("{\"certificate\": \"%s\", \"reason\": \"cessationOfOperation\"}".formatted(der));

    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    awaitRevoked(unit);
  }

  @Test
  void revocationsOutliveTheProcess() throws Exception {
    UUID id = UUID.randomUUID();
    SignedAnswer answer = signed(id);
    URI list = CrlShard.namedBy(answer.chain().getFirst()).orElseThrow();
    assertThat(revoke("{\"requestId\": \"%s\", \"reason\": \"superseded\"}".formatted(id)).status())
        .isEqualTo(200);
    awaitRevoked(answer.chain());
    assertThat(get(list).statusCode()).isEqualTo(200);
    keywell.close();

    keywell = run();

    assertThat(verdict(answer.chain())).contains("certificate revoked");
  }

  /** Its key waits in the HSM; with the revocation, nothing is left for it to sign. */
  @ParameterizedTest
  @CsvSource({"requestId", "serial", "certificate"})
  void anActWhoseCertificateIsRevokedDoesNotSign(String named) throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = ActCalls.body(id, SPEC, 2);
    HttpApi.Answer opened = acts().open(body);
    assertThat(opened.status()).as(opened.body().toString()).isEqualTo(201);
    String der = opened.body().path("certificateChain").path(0).asString();
    String name =
        switch (named) {
          case "requestId" -> id.toString();
          case "serial" -> serial(id);
          default -> der;
        };
    HttpApi.Answer revoked =
        revoke("{\"%s\": \"%s\", \"reason\": \"privilegeWithdrawn\"}".formatted(named, name));
    assertThat(revoked.status()).as(revoked.body().toString()).isEqualTo(200);

    HttpApi.Answer refused = acts().sign(id, ActCalls.digests("late", 2));

    assertThat(refused.status()).as(refused.body().toString()).isEqualTo(410);
    assertThat(refused.problem()).isEqualTo("act-revoked");
    for (HttpApi.Answer later :
        List.of(
            acts().sign(id, ActCalls.digests("later", 2)),
            acts().open(body),
            acts().cancel(id),
            keywell.http().result(id))) {
      assertThat(later.problem()).isEqualTo("act-revoked");
    }
    assertThat(acts().find(id).body().path("status").asString()).isEqualTo("failed");
    assertNothingSigned(id);
    assertThat(keywell.part(KeyPools.class).depth(SPEC).leased()).as("keys on lease").isZero();
    assertThat(keywell.part(OpenActs.class).count()).as("acts that are open").isZero();
    assertThat(keywell.scrape().value("keywell_sign_failures_total", "reason", "act-revoked"))
        .isPositive();
  }

  /** The record has the key's end, and the certificate as one that nothing was signed under. */
  private void assertNothingSigned(UUID id) throws Exception {
    assertThat(
            site.sql()
                .count(
                    """
                    SELECT count(*) FROM unused_certificate u JOIN sign_request s USING (request_id)
                    WHERE request_id = '%s' AND u.failure = 'act-revoked' AND s.signature IS NULL
                      AND s.signatures IS NULL AND s.digest IS NULL
                      AND s.destruction_return_value = 0 AND s.key_destroyed IS NOT NULL
                    """
                        .formatted(id)))
        .isEqualTo(1);
  }

  private ActCalls acts() {
    return new ActCalls(keywell.http());
  }

  private String serial(UUID id) throws Exception {
    return site.sql()
        .text("SELECT certificate_serial FROM sign_request WHERE request_id = '%s'".formatted(id));
  }

  @Test
  void anotherActSignsAndARevocationComesTooLateForOneThatHas() throws Exception {
    UUID revoked = UUID.randomUUID();
    UUID other = UUID.randomUUID();
    assertThat(acts().open(ActCalls.body(revoked, SPEC, 1)).status()).isEqualTo(201);
    assertThat(acts().open(ActCalls.body(other, SPEC, 1)).status()).isEqualTo(201);
    List<byte[]> digests = ActCalls.digests("in time", 1);
    HttpApi.Answer signed = acts().sign(revoked, digests);
    assertThat(signed.status()).as(signed.body().toString()).isEqualTo(200);

    assertThat(
            revoke("{\"requestId\": \"%s\", \"reason\": \"superseded\"}".formatted(revoked))
                .status())
        .isEqualTo(200);

    assertThat(acts().sign(revoked, digests).body()).isEqualTo(signed.body());
    assertThat(acts().sign(other, digests).status()).isEqualTo(200);
  }

  /** Either of them is first, and the record agrees with the answer. */
  @Test
  void aRevocationRacesWithDigests() throws Exception {
    List<UUID> ids = Stream.generate(UUID::randomUUID).limit(12).toList();
    List<byte[]> digests = ActCalls.digests("race", 1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (UUID id : ids) {
        assertThat(acts().open(ActCalls.body(id, SPEC, 1)).status()).isEqualTo(201);
        Future<HttpApi.Answer> revocation =
            threads.submit(
                () -> revoke("{\"requestId\": \"%s\", \"reason\": \"superseded\"}".formatted(id)));
        Thread.sleep(ids.indexOf(id));
        HttpApi.Answer end = acts().sign(id, digests);

        assertThat(revocation.get(60, TimeUnit.SECONDS).status()).isEqualTo(200);
        if (end.status() == 200) {
          assertThat(keywell.http().result(id).status()).isEqualTo(200);
        } else {
          assertThat(end.problem()).isEqualTo("act-revoked");
          assertNothingSigned(id);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"requestId\": \"0b2ac6b4-4b0c-4d31-9f4e-5b0e3f6d2a11\", \"reason\": \"superseded\"}"
            + "|404|certificate-unknown",
        "{\"serial\": \"abcdef\", \"reason\": \"superseded\"}|404|certificate-unknown",
        "{\"requestId\": \"x\", \"reason\": \"superseded\"}|400|bad-request-id",
        "{\"serial\": \"1\"}|400|missing-field",
        "{\"serial\": \"1\", \"reason\": \"removeFromCRL\"}|400|bad-revocation",
        "{\"reason\": \"superseded\"}|400|bad-revocation",
        "{\"serial\": \"1\", \"reason\": \"superseded\", \"at\": \"2020\"}|400|unknown-field",
        "{|400|malformed-json"
      })
  void badOrdersAreRefused(String json, int status, String problem) throws Exception {
    HttpApi.Answer answer = revoke(json);

    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.problem()).isEqualTo(problem);
  }

  @Test
  void authoritiesAreNotRevokedHere() throws Exception {
    List<X509Certificate> chain = PemCertificates.read(keywell.http().text("/ca/chain"));
    String issuing = Base64.getEncoder().encodeToString(chain.getFirst().getEncoded());

    HttpApi.Answer answer =
        revoke("{\"certificate\": \"%s\", \"reason\": \"superseded\"}".formatted(issuing));

    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.problem()).isEqualTo("not-revocable");
  }

  private static ZonedDateTime date(HttpResponse<byte[]> response, String header) {
    return ZonedDateTime.parse(
        response.headers().firstValue(header).orElseThrow(), RFC_1123_DATE_TIME);
  }

  @Test
  void listsCanBeCachedAndNothingElseIsAtTheirPort() throws Exception {
    URI list = CrlShard.namedBy(signed(UUID.randomUUID()).chain().getFirst()).orElseThrow();
    HttpResponse<byte[]> fetched = get(list);
    assertThat(fetched.statusCode()).isEqualTo(200);
    assertThat(fetched.headers().firstValue("Content-Type")).contains("application/pkix-crl");
    assertThat(fetched.headers().firstValue("Cache-Control")).contains("max-age=60, public");
    assertThat(date(fetched, "Expires"))
        .isBetween(date(fetched, "Date").plusSeconds(59), date(fetched, "Date").plusSeconds(61));
    assertThat(fetched.headers().firstValue("Content-Disposition"))
        .contains("attachment; filename=\"%s\"".formatted(Path.of(list.getPath()).getFileName()));
    String tag = fetched.headers().firstValue("ETag").orElseThrow();

    assertThat(get(list, "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(get(URI.create(keywell.http().base() + list.getPath())).statusCode())
        .as("at the service's port, too")
        .isEqualTo(200);
    for (String elsewhere : List.of("/sign", "/pool", "/ca/chain", "/console", "/", "/ca/crl/x")) {
      assertThat(get(lists().resolve(elsewhere)).statusCode()).as(elsewhere).isEqualTo(404);
    }
    HttpApi.Answer refused =
        new HttpApi(client, lists()).sign(SignBody.of("a contract").keySpec(SPEC));
    assertThat(refused.status()).isEqualTo(404);
    assertThat(refused.problem()).isEqualTo("not-found");
    assertThat(get(lists().resolve("0a".repeat(20) + "/2026-01-01.crl")).statusCode())
        .as("a list that is not there")
        .isEqualTo(404);
  }
}
