package org.keywell.service.identity.saml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.service.identity.saml.TestIdentityProvider.EC;
import static org.keywell.service.identity.saml.TestIdentityProvider.REQUEST;
import static org.keywell.service.identity.saml.TestIdentityProvider.RSA;
import static org.keywell.service.identity.saml.TestIdentityProvider.STRANGER;
import static org.keywell.service.identity.saml.TestIdentityProvider.metadata;
import static org.keywell.service.identity.saml.TestIdentityProvider.response;
import static org.keywell.service.identity.saml.TestIdentityProvider.signed;
import static org.keywell.service.identity.saml.TestIdentityProvider.signedMetadata;

import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;
import javax.xml.crypto.dsig.SignatureMethod;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.running.HttpApi;
import org.keywell.service.running.RunningKeywell;
import org.keywell.service.running.Settings;
import org.keywell.service.running.SignBody;
import org.keywell.service.running.Site;
import org.keywell.service.running.TlsAuthority;
import org.w3c.dom.Document;

/** Assertions at the running service, over TLS: what is signed for them, and what not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class SamlAttemptsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int STOCK = 6;
  private static final Pattern TIME = Pattern.compile("2026-03-0\\dT[0-9:.]+Z");

  private Site site;
  private RunningKeywell keywell;
  private HttpClient client;

  private record Attempt(String name, String problem, String ticket, String inResponseTo) {

    Attempt(String name, String problem, Document ticket) {
      this(name, problem, Xml.ticket(ticket), REQUEST);
    }
  }

  @BeforeAll
  void start(@TempDir Path home, @TempDir Path files) throws Exception {
    TlsAuthority authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("portal", "extendedKeyUsage=clientAuth");
    Files.writeString(
        files.resolve("callers.yaml"),
        "callers: [{name: portal, certificate: {subject: CN=portal}, roles: [sign]}]\n");
    Path metadata =
        Files.writeString(files.resolve("metadata.xml"), signedMetadata(now(metadata(RSA, EC))));
    Path federation = TestIdentityProvider.federationCertificate(files);
    Files.writeString(
        files.resolve("providers.yaml"),
        """
        identity:
          saml:
            - issuer: https://idp.example/saml
              metadata: %s
              metadata-certificate: %s
              audiences: [https://portal.example/sp]
              recipients: [https://portal.example/acs]
              levels-of-assurance: ["http://id.elegnamnden.se/loa/1.0/loa3"]
              attributes:
                - {subject: commonName, source: "urn:oid:2.16.840.1.113730.3.1.241"}
                - {subject: serialNumber, source: "urn:oid:1.2.752.29.4.13", semantics: PNOSE}
                - {subject: country, value: SE}
        """
            .formatted(metadata, federation));
    site = Site.create(home);
    site.stock(SPEC, STOCK);
    keywell =
        RunningKeywell.start(site.settings(Settings.pool(SPEC, STOCK), settings(authority, files)));
    keywell.awaitLoaded(SPEC, STOCK);
    client = HttpClient.newBuilder().sslContext(authority.context("portal")).build();
  }

  private static Map<String, String> settings(TlsAuthority authority, Path files) {
    String bundle = "spring.ssl.bundle.pem.test.";
    Map<String, String> settings = new HashMap<>();
    settings.put(bundle + "keystore.certificate", files.resolve("server.pem").toUri().toString());
    settings.put(bundle + "keystore.private-key", files.resolve("server.key").toUri().toString());
    settings.put(bundle + "truststore.certificate", authority.certificate().toUri().toString());
    settings.put("server.ssl.bundle", "test");
    settings.put("server.ssl.client-auth", "need");
    settings.put("keywell.security.callers-file", files.resolve("callers.yaml").toString());
    settings.put("keywell.identity.providers-file", files.resolve("providers.yaml").toString());
    return settings;
  }

  @AfterAll
  void stop() {
    client.close();
    keywell.close();
    site.close();
  }

  @Test
  void aGoodAssertionSignsOnce() throws Exception {
    String ticket = Xml.ticket(signed(assertion()));
    UUID id = UUID.randomUUID();

    HttpApi.Answer answer = http().sign(body(ticket, REQUEST).requestId(id));

    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
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
      assertThat(http().sign(body(again, REQUEST)).problem()).isEqualTo("proof-replayed");
    }
    assertThat(traces()).isEqualTo(traces);
    assertThat(http().sign(body(ticket, REQUEST).requestId(id)).body()).isEqualTo(answer.body());
  }

  @TestFactory
  List<DynamicTest> attemptsLeaveNothing() {
    return attempts().stream()
        .map(attempt ->
            DynamicTest.dynamicTest(
                attempt.name() + ": " + attempt.problem(), () -> assertRefused(attempt)))
        .toList();
  }

  private void assertRefused(Attempt attempt) throws Exception {
    String traces = traces();

    HttpApi.Answer answer = http().sign(body(attempt.ticket(), attempt.inResponseTo()));

    assertThat(answer.problem()).as("%s", answer.body()).isEqualTo(attempt.problem());
    assertThat(answer.status()).isIn(400, 403, 413);
    assertThat(traces()).isEqualTo(traces);
    keywell.assertNoKeyButLoaded();
  }

  private static List<Attempt> attempts() {
    List<Attempt> attempts = new ArrayList<>();
    SignatureWrappingTest.attacks()
        .forEach((name, attack) -> attempts.add(new Attempt(name, "bad-proof", attack)));
    String genuine = Xml.text(signed(assertion()));
    attempts.add(
        xml(
            "a comment in the NameID",
            "bad-proof",
            genuine.replace("a-pseudo", "a-<!-- -->pseudo")));
    attempts.add(
        xml("a comment in a value", "bad-proof", genuine.replace("Astrid ", "Astrid<!-- --> ")));
    attempts.add(
        xml(
            "an external entity",
            "bad-proof",
            doctype("<!ENTITY x SYSTEM 'file:///etc/hostname'>", genuine)));
    attempts.add(
        xml(
            "a bomb of entities",
            "bad-proof",
            doctype(
                "<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
                    + "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'>"
                    + "<!ENTITY x '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>",
                genuine)));
    attempts.add(rule("expired conditions", "proof-not-valid-now", ago(Duration.ofMinutes(20))));
    attempts.add(rule("conditions to come", "proof-not-valid-now", ago(Duration.ofMinutes(-20))));
    attempts.add(
        rule(
            "another recipient",
            "proof-wrong-audience",
            assertion().replace("Recipient=\"https://portal", "Recipient=\"https://other")));
    attempts.add(
        rule(
            "another audience",
            "proof-wrong-audience",
            assertion()
                .replace("<saml2:Audience>https://portal", "<saml2:Audience>https://other")));
    attempts.add(
        rule(
            "too little assurance",
            "proof-assurance-too-low",
            assertion().replace("loa/1.0/loa3", "loa/1.0/loa2")));
    attempts.add(
        new Attempt(
            "an answer to another question",
            "proof-not-bound",
            Xml.ticket(signed(assertion())),
            "_another"));
    Document unsigned = response(Xml.parse(assertion()));
    XmlSigning.by(RSA).sign(unsigned.getDocumentElement());
    attempts.add(
        new Attempt("an unsigned assertion in a signed response", "proof-untrusted", unsigned));
    Document stranger = Xml.parse(assertion());
    XmlSigning.by(STRANGER).sign(stranger.getDocumentElement());
    attempts.add(new Attempt("a key that it brings", "proof-untrusted", stranger));
    Document hmac = Xml.parse(assertion());
    XmlSigning.by(RSA)
        .algorithm(
            new SecretKeySpec(RSA.getPublic().getEncoded(), "HmacSHA256"),
            SignatureMethod.HMAC_SHA256)
        .sign(hmac.getDocumentElement());
    attempts.add(new Attempt("HMAC with the public key", "proof-untrusted", hmac));
    attempts.add(new Attempt("a megabyte", "body-too-large", "x".repeat(1 << 20), REQUEST));
    return attempts;
  }

  private static Attempt xml(String name, String problem, String xml) {
    return new Attempt(name, problem, Xml.ticket(xml), REQUEST);
  }

  private static Attempt rule(String name, String problem, String assertion) {
    return new Attempt(name, problem, signed(assertion));
  }

  private static String doctype(String declarations, String assertion) {
    return "<!DOCTYPE saml2:Assertion ["
        + declarations
        + "]>"
        + assertion.replaceFirst("<\\?xml[^>]*>", "").replace("a-pseudonym", "&x;");
  }

  /** With an id of its own, and times of now. */
  private static String assertion() {
    return ago(Duration.ZERO);
  }

  private static String ago(Duration age) {
    return shifted(
        TestIdentityProvider.assertion().replace("_assertion1", "_" + UUID.randomUUID()), age);
  }

  private static String now(String xml) {
    return shifted(xml, Duration.ZERO);
  }

  private static String shifted(String xml, Duration age) {
    Duration shift =
        Duration.between(TestIdentityProvider.NOW, Instant.now().truncatedTo(ChronoUnit.SECONDS))
            .minus(age);
    return TIME.matcher(xml).replaceAll(time -> Instant.parse(time.group()).plus(shift).toString());
  }

  private static byte[] decode(String ticket) {
    return Base64.getDecoder().decode(ticket);
  }

  private static SignBody body(String ticket, String inResponseTo) {
    return SignBody.of("a document")
        .keySpec(SPEC)
        .without("signer")
        .with(
            "identityProof", Map.of("type", "saml", "value", ticket, "inResponseTo", inResponseTo));
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
