package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.testkit.saml.TestIdentityProvider.response;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.identity.ProofRefusal;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.request.Refusal;
import org.keywell.testkit.TlsAuthority;
import org.keywell.testkit.saml.SamlAttempts;
import org.keywell.testkit.saml.Xml;

/** Assertions at the running service, over TLS: what is signed for them, and what not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class SamlAttemptsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 6;

  private Site site;
  private RunningKeywell keywell;
  private HttpClient client;

  @BeforeAll
  void start(@TempDir Path home, @TempDir Path files) throws Exception {
    TlsAuthority authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("portal", "extendedKeyUsage=clientAuth");
    Files.writeString(
        files.resolve("callers.yaml"),
        "callers: [{name: portal, certificate: {subject: CN=portal}, roles: [sign]}]\n");
    Path metadata = Files.writeString(files.resolve("metadata.xml"), attempts().metadata());
    Path federation =
        Files.writeString(files.resolve("federation.pem"), SamlAttempts.metadataCertificate());
    Files.writeString(
        files.resolve("providers.yaml"),
        SamlAttempts.providersFile(metadata.toString(), federation.toString()));
    site = Site.create(home);
    site.stock(SPEC, STOCK);
    keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(SPEC, STOCK),
                authority.serverSettings(),
                Map.of(
                    "keywell.identity.providers-file",
                    files.resolve("providers.yaml").toString())));
    keywell.awaitLoaded(SPEC, STOCK);
    client = HttpClient.newBuilder().sslContext(authority.context("portal")).build();
  }

  @AfterAll
  void stop() {
    client.close();
    keywell.close();
    site.close();
  }

  @Test
  void aGoodAssertionSignsOnce() throws Exception {
    String ticket = attempts().genuine("_" + UUID.randomUUID());
    UUID id = UUID.randomUUID();

    HttpApi.Answer answer = http().sign(body(ticket).requestId(id));

    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    SignedAnswer signed = SignedAnswer.of(answer);
    signed.verify("SHA256withECDSA", "a document".getBytes(StandardCharsets.UTF_8));
    assertThat(signed.chain().getFirst().getSubjectX500Principal().getName())
        .contains("CN=Astrid Exempel", "C=SE");
    assertThat(
            site.sql()
                .text(
                    "SELECT concat_ws('|', caller, identity_provider, signer_reference) FROM sign_request WHERE request_id = '%s'"
                        .formatted(id)))
        .isEqualTo("portal|https://idp.example/saml|PNOSE-197001011234");
    String traces = traces();
    String inAResponse =
        Xml.ticket(response(Xml.parse(new String(decode(ticket), StandardCharsets.UTF_8))));
    for (String again : List.of(ticket, inAResponse)) {
      assertThat(http().sign(body(again)).problem()).isEqualTo("proof-replayed");
    }
    assertThat(traces()).isEqualTo(traces);
    assertThat(http().sign(body(ticket).requestId(id)).body()).isEqualTo(answer.body());
  }

  @TestFactory
  List<DynamicTest> attemptsLeaveNothing() {
    List<DynamicTest> tests = new ArrayList<>();
    for (SamlAttempts.Attempt attempt : attempts().bad()) {
      String problem = Refusal.Reason.of(ProofRefusal.valueOf(attempt.reason())).label();
      tests.add(
          DynamicTest.dynamicTest(
              attempt.name() + ": " + problem, () -> assertRefused(attempt.ticket(), problem)));
    }
    tests.add(
        DynamicTest.dynamicTest(
            "a megabyte: body-too-large",
            () -> assertRefused("x".repeat(1 << 20), "body-too-large")));
    return tests;
  }

  private void assertRefused(String ticket, String problem) throws Exception {
    String traces = traces();

    HttpApi.Answer answer = http().sign(body(ticket));

    assertThat(answer.problem()).as("%s", answer.body()).isEqualTo(problem);
    assertThat(answer.status()).isIn(400, 403, 413);
    assertThat(traces()).isEqualTo(traces);
    keywell.assertNoKeyButLoaded();
  }

  @Test
  void withoutAnAssertionNothingIsSigned() throws Exception {
    String traces = traces();

    HttpApi.Answer answer = http().sign(SignBody.of("a document").keySpec(SPEC));

    assertThat(answer.problem()).isEqualTo("proof-required");
    assertThat(traces()).isEqualTo(traces);
  }

  private static SamlAttempts attempts() {
    return new SamlAttempts(Instant.now());
  }

  private static byte[] decode(String ticket) {
    return Base64.getDecoder().decode(ticket);
  }

  private static SignBody body(String ticket) {
    return SignBody.of("a document")
        .keySpec(SPEC)
        .without("signer")
        .with(
            "identityProof",
            Map.of("type", "saml", "value", ticket, "inResponseTo", SamlAttempts.IN_RESPONSE_TO));
  }

  private HttpApi http() {
    return new HttpApi(client, URI.create("https://127.0.0.1:" + keywell.port()));
  }

  /** Requests on record, tickets and keys used: what a refused request must not change. */
  private String traces() throws SQLException {
    return "%d requests, %d tickets, %d keys"
        .formatted(
            site.sql().count("SELECT count(*) FROM sign_request"),
            site.sql().count("SELECT count(*) FROM used_proof"),
            site.sql().count("SELECT coalesce(sum(keys), 0) FROM key_ledger WHERE move = 'used'"));
  }
}
