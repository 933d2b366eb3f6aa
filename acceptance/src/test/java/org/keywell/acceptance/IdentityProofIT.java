package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.testkit.jwt.Issuer.claims;
import static org.keywell.testkit.jwt.Issuer.ticket;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.TlsAuthority;
import org.keywell.testkit.jwt.Issuer;
import org.keywell.testkit.jwt.JwksServer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Tickets of an identity provider at the running service, over TLS: what is signed for them, and
 * what not.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
final class IdentityProofIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String ABSENT_ISSUER = "https://absent.example";
  private static final String ATTRIBUTES =
      "[{subject: commonName, source: name}, {subject: serialNumber, source: pnr, semantics: PNOSE},"
          + " {subject: country, value: SE}]";
  private static final RSAKey RSA = Issuer.rsa("rsa-1");
  private static final ECKey EC = Issuer.ec("ec-1");
  private static final ECKey STRANGER = Issuer.ec("ec-1");

  private final JwksServer jwks = new JwksServer(RSA, EC);
  private final JwksServer elsewhere = new JwksServer(STRANGER);
  private Path home;
  private TlsAuthority authority;
  private HttpClient client;
  private Site site;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    home = directory;
    authority = TlsAuthority.create(home, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("portal", "extendedKeyUsage=clientAuth");
    client = HttpClient.newBuilder().sslContext(authority.context("portal")).build();
    Files.writeString(
        home.resolve("callers.yaml"),
        "callers: [{name: portal, certificate: {subject: CN=portal}, roles: [sign]}]\n");
    site = Site.create(Files.createDirectory(home.resolve("site")));
    site.stock(SPEC, 60);
    JwksServer absent = new JwksServer(EC);
    Files.writeString(
        home.resolve("providers.yaml"),
        """
        identity:
          jwt:
            - issuer: %s
              jwks: %s
              audiences: [%s]
              levels-of-assurance: [%s]
              attributes: %s
            - issuer: %s
              jwks: %s
              audiences: [%s]
              levels-of-assurance: [%s]
              attributes: %s
        """
            .formatted(
                Issuer.ISSUER,
                jwks.url(),
                Issuer.AUDIENCE,
                Issuer.LOA3,
                ATTRIBUTES,
                ABSENT_ISSUER,
                absent.url(),
                Issuer.AUDIENCE,
                Issuer.LOA3,
                ATTRIBUTES));
    absent.close();
    keywell = RunningKeywell.start(settings("keywell-1"));
    keywell.awaitLoaded(SPEC, 20);
  }

  private Map<String, String> settings(String instance) {
    return site.settings(
        Settings.pool(SPEC, 20),
        authority.serverSettings(),
        Map.of(
            "keywell.instance",
            instance,
            "keywell.identity.providers-file",
            home.resolve("providers.yaml").toString()));
  }

  private HttpApi http() {
    return overTls(keywell.port());
  }

  private HttpApi overTls(int port) {
    return new HttpApi(client, URI.create("https://127.0.0.1:" + port));
  }

  @AfterAll
  void stop() {
    client.close();
    keywell.close();
    site.close();
    jwks.close();
    elsewhere.close();
  }

  @Test
  void theTicketSaysWhoSigns() throws Exception {
    for (String ticket : List.of(ticket(RSA, good()), ticket(EC, good()))) {
      UUID id = UUID.randomUUID();
      HttpApi.Answer answer = http().sign(body(ticket).requestId(id).without("signer"));

      assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
      assertThat(SignedAnswer.of(answer).chain().getFirst().getSubjectX500Principal().toString())
          .contains("CN=Astrid Exempel", "SERIALNUMBER=PNOSE-197001011234", "C=SE");
      assertThat(
              site.sql()
                  .text(
                      "SELECT concat_ws('|', identity_provider, signer_reference, octet_length(proof_sha256)) FROM sign_request WHERE request_id = '%s'"
                          .formatted(id)))
          .isEqualTo(Issuer.ISSUER + "|PNOSE-197001011234|32");
    }
  }

  @Test
  void attacksLeaveNothing() throws Exception {
    Map<String, String> attacks = new LinkedHashMap<>();
    attacks.put(ticket(STRANGER, good()), "proof-untrusted");
    attacks.put(new PlainJWT(good()).serialize(), "proof-untrusted");
    attacks.put(hmacWithThePublicKey(), "proof-untrusted");
    attacks.put(ticket(EC, good(), header -> header.keyID("' OR '1'='1")), "proof-untrusted");
    attacks.put(ticket(EC, good(), header -> header.keyID("../../etc/hosts")), "proof-untrusted");
    attacks.put(ticket(EC, good(), header -> header.keyID(elsewhere.url())), "proof-untrusted");
    URI there = URI.create(elsewhere.url());
    attacks.put(ticket(STRANGER, good(), header -> header.jwkURL(there)), "proof-untrusted");
    attacks.put(ticket(STRANGER, good(), header -> header.x509CertURL(there)), "proof-untrusted");
    attacks.put(
        ticket(STRANGER, good(), header -> header.jwk(STRANGER.toPublicJWK())), "proof-untrusted");
    attacks.put(
        ticket(EC, claims(Instant.now()).issuer("https://evil.example").build()),
        "proof-untrusted");
    attacks.put(ticket(EC, claims(Instant.now().minusSeconds(200)).build()), "proof-not-valid-now");
    attacks.put(ticket(EC, claims(Instant.now().plusSeconds(60)).build()), "proof-not-valid-now");
    attacks.put(
        ticket(
            EC,
            claims(Instant.now()).notBeforeTime(Date.from(Instant.now().plusSeconds(60))).build()),
        "proof-not-valid-now");
    attacks.put(
        ticket(EC, claims(Instant.now()).audience("https://other.example").build()),
        "proof-wrong-audience");
    attacks.put(
        ticket(EC, claims(Instant.now()).claim("acr", "loa1").build()), "proof-assurance-too-low");
    attacks.put(ticket(EC, claims(Instant.now()).claim("pnr", null).build()), "proof-attributes");
    attacks.put(
        ticket(EC, claims(Instant.now()).claim("name", "Bertil Exempel").build()),
        "signer-mismatch");
    attacks.put("junk", "bad-proof");
    attacks.put("x".repeat(24 * 1024 + 1), "bad-proof");
    attacks.put("x".repeat(1 << 20), "body-too-large");
    String traces = traces();

    for (Map.Entry<String, String> attack : attacks.entrySet()) {
      HttpApi.Answer answer = http().sign(body(attack.getKey()));
      assertThat(answer.problem())
          .as("%.100s: %s", attack.getKey(), answer.body())
          .isEqualTo(attack.getValue());
      assertThat(answer.status()).isIn(400, 403, 413);
    }

    assertThat(traces()).isEqualTo(traces);
    assertThat(elsewhere.fetches()).isZero();
    keywell.assertNoKeyButLoaded();
  }

  @Test
  void aTicketServesOnceHereThereAndAfterARestart() throws Exception {
    String ticket = ticket(EC, good());
    UUID id = UUID.randomUUID();
    SignBody first = body(ticket).requestId(id);
    HttpApi.Answer answer = http().sign(first);
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    keywell.awaitLoaded(SPEC, 20);
    String traces = traces();

    assertReplayed(http(), ticket);
    try (KeywellProcess second =
        KeywellProcess.start(settings("keywell-2"), home.resolve("second.log"), "serve")) {
      HttpApi there = overTls(second.awaitReady().base().getPort());
      assertReplayed(there, ticket);
      assertThat(there.sign(first).body()).isEqualTo(answer.body());
    }
    keywell.close();
    keywell = RunningKeywell.start(settings("keywell-1"));
    keywell.awaitLoaded(SPEC, 20);
    assertReplayed(http(), ticket);
    assertThat(traces()).isEqualTo(traces);

    assertThat(http().sign(first).body()).isEqualTo(answer.body());
    assertThat(http().sign(body("another document", ticket).requestId(id)).problem())
        .isEqualTo("request-id-reused");
  }

  /** A stolen ticket is usable only until it has been used once. */
  @Test
  void aTicketIsKeptNowhere(CapturedOutput output) throws Exception {
    List<String> tickets =
        List.of(ticket(EC, good()), ticket(STRANGER, good()), ticket(EC, good(), this::unknownKey));
    for (String ticket : tickets) {
      HttpApi.Answer answer = http().sign(body(ticket));
      assertThat(answer.status()).isIn(200, 403);
      String claims = ticket.substring(ticket.indexOf('.') + 1, ticket.lastIndexOf('.'));
      String signature = ticket.substring(ticket.lastIndexOf('.') + 1);
      for (String part : List.of(claims, signature)) {
        assertThat(output.getAll() + answer.body()).doesNotContain(part);
        for (String table : List.of("sign_request", "used_proof")) {
          assertThat(
                  site.sql()
                      .count(
                          "SELECT count(*) FROM %s t WHERE strpos(t::text, '%s') > 0"
                              .formatted(table, part)))
              .isZero();
        }
      }
    }
  }

  private JWSHeader.Builder unknownKey(JWSHeader.Builder header) {
    return header.keyID("unknown");
  }

  @Test
  void ofManyAtOnceOneIsSigned() throws Exception {
    String ticket = ticket(EC, good());
    List<Callable<HttpApi.Answer>> requests = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      requests.add(() -> http().sign(body(ticket)));
    }
    List<String> answers = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<HttpApi.Answer> answer : callers.invokeAll(requests)) {
        answers.add(answer.get().status() == 200 ? "signed" : answer.get().problem());
      }
    }

    assertThat(answers).containsOnlyOnce("signed").hasSize(16);
    assertThat(answers.stream().filter("proof-replayed"::equals)).hasSize(15);
  }

  @Test
  void aProviderThatIsAwayIsSoughtAgainLater() throws Exception {
    String traces = traces();
    HttpApi.Answer answer =
        http().sign(body(ticket(EC, claims(Instant.now()).issuer(ABSENT_ISSUER).build())));

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.problem()).isEqualTo("identity-provider-unavailable");
    assertThat(answer.retryAfter()).isNotEmpty();
    assertThat(traces()).isEqualTo(traces);
  }

  /** Requests on record, tickets and keys used: what a refused request must not change. */
  private String traces() throws SQLException {
    return "%d requests, %d tickets, %d keys"
        .formatted(
            site.sql().count("SELECT count(*) FROM sign_request"),
            site.sql().count("SELECT count(*) FROM used_proof"),
            site.sql().count("SELECT coalesce(sum(keys), 0) FROM key_ledger WHERE move = 'used'"));
  }

  private static void assertReplayed(HttpApi http, String ticket) throws Exception {
    HttpApi.Answer replayed = http.sign(body(ticket));
    assertThat(replayed.problem()).as("%s", replayed.body()).isEqualTo("proof-replayed");
    assertThat(replayed.status()).isEqualTo(403);
  }

  private static String hmacWithThePublicKey() throws Exception {
    SignedJWT forged =
        new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa-1").build(), good());
    forged.sign(new MACSigner(RSA.toRSAPublicKey().getEncoded()));
    return forged.serialize();
  }

  private static SignBody body(String ticket) {
    return body("a document", ticket);
  }

  private static SignBody body(String document, String ticket) {
    return SignBody.of(document)
        .keySpec(SPEC)
        .with("identityProof", Map.of("type", "jwt", "value", ticket));
  }

  private static JWTClaimsSet good() {
    return claims(Instant.now()).build();
  }
}
