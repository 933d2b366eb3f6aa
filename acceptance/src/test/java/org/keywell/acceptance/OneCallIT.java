package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.SignedAnswer;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.OpenSsl;
import tools.jackson.databind.JsonNode;

/** Several digests, and certificates before signatures, in one call to a service. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OneCallIT {

  private static final List<String> DOCUMENTS = List.of("contract", "annex", "terms");

  private Path home;
  private Site site;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    home = directory;
    site = Site.create(home);
    site.stock(KeySpec.RSA_2048, 10);
    site.stock(KeySpec.EC_P256, 30);
    keywell =
        RunningKeywell.start(
            site.settings(Settings.pool(KeySpec.RSA_2048, 10), Settings.pool(KeySpec.EC_P256, 30)));
  }

  @AfterAll
  void stop() {
    keywell.close();
    site.close();
  }

  @Test
  void allDigestsAreSignedWithOneKey() throws Exception {
    HttpApi.Answer answer = signed(several("EC-P256", "ECDSA"));

    SignedAnswer first = SignedAnswer.of(answer);
    first.verify("SHA256withECDSA", DOCUMENTS.getFirst().getBytes(StandardCharsets.UTF_8));
    JsonNode signatures = answer.body().path("signatures");
    assertThat(signatures.size()).isEqualTo(3);
    assertThat(signatures.get(0)).isEqualTo(answer.body().path("signature"));
    for (int i = 0; i < 3; i++) {
      Signature verifier = Signature.getInstance("SHA256withECDSA");
      verifier.initVerify(first.publicKey());
      verifier.update(DOCUMENTS.get(i).getBytes(StandardCharsets.UTF_8));
      assertThat(verifier.verify(Base64.getDecoder().decode(signatures.get(i).asString())))
          .isTrue();
    }
    assertThat(answer.body().has("containers")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "RSA-2048, RSASSA-PKCS1-v1_5, CAdES-BASELINE-B",
    "RSA-2048, RSASSA-PKCS1-v1_5, PAdES-BASELINE-B",
    "RSA-2048, RSASSA-PSS, CAdES-BASELINE-B",
    "RSA-2048, RSASSA-PSS, PAdES-BASELINE-B",
    "EC-P256, ECDSA, CAdES-BASELINE-B",
    "EC-P256, ECDSA, PAdES-BASELINE-B"
  })
  void opensslVerifiesEachContainer(String keySpec, String scheme, String container)
      throws Exception {
    HttpApi.Answer answer = signed(several(keySpec, scheme).with("container", container));

    OpenSsl openssl = new OpenSsl(home);
    JsonNode containers = answer.body().path("containers");
    assertThat(containers.size()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      byte[] der = Base64.getDecoder().decode(containers.get(i).asString());
      Files.write(home.resolve("container"), der);
      openssl.write("document", DOCUMENTS.get(i));
      verify(openssl);
      openssl.write("document", "C" + DOCUMENTS.get(i).substring(1));
      assertThatThrownBy(() -> verify(openssl)).isInstanceOf(AssertionError.class);
      assertThat(
              openssl
                  .run("asn1parse", "-inform", "DER", "-in", "container")
                  .contains("signingTime"))
          .isEqualTo(container.startsWith("CAdES"));
    }
    assertThat(answer.serverTiming()).matches(".*key;.*certify;.*sign;.*destroy;.*");
    assertThat(answer.serverTiming()).doesNotContain("dur=-");
  }

  private void verify(OpenSsl openssl) throws Exception {
    openssl.run(
        "cms",
        "-verify",
        "-binary",
        "-inform",
        "DER",
        "-in",
        "container",
        "-content",
        "document",
        "-CAfile",
        home.resolve("ca").resolve("root.pem").toString(),
        "-purpose",
        "any",
        "-out",
        "verified");
  }

  /** Containers are not on record: they are made again of what is. */
  @ParameterizedTest
  @ValueSource(strings = {"CAdES-BASELINE-B", "PAdES-BASELINE-B"})
  void aRepetitionGetsTheSameOctets(String container) throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = several("EC-P256", "ECDSA").with("container", container).requestId(id);

    JsonNode first = signed(body).body();

    assertThat(first.path("containers").size()).isEqualTo(3);
    assertThat(signed(body).body()).isEqualTo(first);
    assertThat(keywell.http().result(id).body()).isEqualTo(first);
    assertThat(keywell.http().sign(body.without("container")).problem())
        .isEqualTo("request-id-reused");
    assertThat(keywell.http().sign(body.with("digests", digests(List.of("contract")))).problem())
        .isEqualTo("request-id-reused");
  }

  @Test
  void oneDigestIsTheSameRequestWhicheverWayItIsWritten() throws Exception {
    SignBody body = SignBody.of("letter").keySpec(KeySpec.EC_P256).requestId(UUID.randomUUID());
    JsonNode first = signed(body).body();

    SignBody listed = body.without("digest").with("digests", digests(List.of("letter")));
    assertThat(signed(listed).body()).isEqualTo(first);
  }

  @Test
  void whatIsOutOfBoundsSpendsNoKey() throws Exception {
    long before = site.sql().count("SELECT count(*) FROM sign_request");
    SignBody body = several("EC-P256", "ECDSA");

    assertProblem("digest-count", body.with("digests", List.of()));
    assertProblem(
        "digest-count", body.with("digests", Collections.nCopies(11, digests(DOCUMENTS).get(0))));
    assertProblem("digest-count", body.with("digest", digests(DOCUMENTS).get(0)));
    assertProblem("missing-field", body.without("digests"));
    assertProblem("unknown-container", body.with("container", "XAdES-BASELINE-B"));
    assertProblem("bad-digest", body.with("digests", List.of("AAAA")));
    assertProblem("malformed-json", body.with("digests", "AAAA"));
    assertProblem("malformed-json", body.with("digests", List.of(Map.of())));

    assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isEqualTo(before);
  }

  @Test
  void eachActHasAKeyOfItsOwnAndTheLedgerBalances() throws Exception {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      SignedAnswer answer =
          SignedAnswer.of(
              signed(several("EC-P256", "ECDSA").with("container", "PAdES-BASELINE-B")));
      keys.add(answer.publicKey().toString());
    }

    assertThat(keys).doesNotHaveDuplicates();
    assertThat(site.ledger().balances()).allMatch(balance -> balance.difference() == 0);
    assertThat(site.sql().count("SELECT count(*) FROM unused_certificate")).isZero();
    keywell.assertNoKeyButLoaded();
  }

  private HttpApi.Answer signed(SignBody body) throws Exception {
    HttpApi.Answer answer = keywell.http().sign(body.deadlineMillis(60_000));
    assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
    return answer;
  }

  private void assertProblem(String type, SignBody body) throws Exception {
    HttpApi.Answer answer = keywell.http().sign(body);
    assertThat(answer.problem()).as(answer.body().toString()).isEqualTo(type);
    assertThat(answer.status()).isEqualTo(400);
  }

  private static SignBody several(String keySpec, String scheme) throws Exception {
    return SignBody.of("")
        .without("digest")
        .with("digests", digests(DOCUMENTS))
        .with("keySpec", keySpec)
        .with("signatureAlgorithm", scheme);
  }

  private static List<String> digests(List<String> documents) throws Exception {
    List<String> digests = new ArrayList<>();
    for (String document : documents) {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(document.getBytes(StandardCharsets.UTF_8));
      digests.add(Base64.getEncoder().encodeToString(digest));
    }
    return digests;
  }
}
