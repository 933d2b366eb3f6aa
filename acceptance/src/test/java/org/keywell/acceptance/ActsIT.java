package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ActCalls;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.act.OpenActs;
import org.keywell.signing.hsm.Devices;
import org.keywell.testkit.Await;
import tools.jackson.databind.JsonNode;

/** Acts in two calls: what each call answers, whatever came before it, and what is left of keys. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ActsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int REPEATS = 8;

  /** As many acts may be open as keys are loaded at the most. */
  private static final int MAX_OPEN = 8;

  private Site site;
  private RunningKeywell keywell;
  private ActCalls acts;
  private long foreign;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    site = Site.create(home);
    site.stock(SPEC, 80);
    site.stock(KeySpec.RSA_2048, 1);
    keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(SPEC, MAX_OPEN),
                Map.of("keywell.acts.max-open", Integer.toString(MAX_OPEN))));
    keywell.awaitLoaded(SPEC, MAX_OPEN);
    // The CA that was made in this process has session keys that are not the pool's.
    keywell.awaitLoaded(KeySpec.RSA_2048, 1);
    foreign = live() - MAX_OPEN;
    acts = new ActCalls(keywell.http());
  }

  @AfterAll
  void stop() {
    keywell.close();
    site.close();
  }

  /** Whatever a test has done: its acts have ended, and their keys with them. */
  @AfterEach
  void noKeyIsLeft() throws Exception {
    Await.until("no act is open", () -> keywell.part(OpenActs.class).count() == 0);
    keywell.awaitLoaded(SPEC, MAX_OPEN);
    KeyPools pools = keywell.part(KeyPools.class);
    assertThat(pools.depth(SPEC).leased()).as("keys on lease").isZero();
    assertThat(pools.orphans()).as("keys that were not destroyed").isZero();
    assertThat(live())
        .as("live keys, counted through PKCS#11")
        .isBetween((long) MAX_OPEN, MAX_OPEN + foreign);
  }

  private long live() {
    return keywell.part(KeyPools.class).devices().getFirst().liveKeys();
  }

  @Test
  void certifiesFirstAndSignsAllDigestsThen() throws Exception {
    UUID id = UUID.randomUUID();
    HttpApi.Answer opened = acts.open(ActCalls.body(id, SPEC, 3));

    assertThat(opened.status()).as(opened.body().toString()).isEqualTo(201);
    assertThat(opened.body().path("status").asString()).isEqualTo("open");
    assertThat(opened.body().path("digestCount").asInt()).isEqualTo(3);
    List<byte[]> digests = ActCalls.digests("contract", 3);
    HttpApi.Answer signed = acts.sign(id, digests);

    assertThat(signed.status()).as(signed.body().toString()).isEqualTo(200);
    assertThat(signed.body().path("certificateChain"))
        .isEqualTo(opened.body().path("certificateChain"));
    X509Certificate certificate = certificate(opened.body());
    String[] signatures =
        site.sql()
            .texts(
                "SELECT encode(unnest(signatures), 'base64') FROM sign_request WHERE request_id = '"
                    + id
                    + "'")
            .toArray(String[]::new);
    assertThat(signatures).hasSize(3);
    for (int i = 0; i < signatures.length; i++) {
      assertThat(
              verifies(certificate, digests.get(i), Base64.getMimeDecoder().decode(signatures[i])))
          .isTrue();
    }
    assertThat(acts.find(id).body().path("status").asString()).isEqualTo("signed");
  }

  @Test
  void tellsTheStagesAsTheStoredResultDoes() throws Exception {
    UUID id = UUID.randomUUID();
    acts.open(ActCalls.body(id, SPEC, 1));

    String stages = acts.sign(id, ActCalls.digests("stages", 1)).serverTiming();

    assertThat(stages).matches("wait;.*key;.*certify;.*sign;.*destroy;.*finish;.*");
    assertThat(stages).isEqualTo(keywell.http().get("/sign/" + id).serverTiming());
  }

  @Test
  void cancels() throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = ActCalls.body(id, SPEC, 1);
    acts.open(body);

    assertThat(acts.cancel(id).status()).isEqualTo(204);
    assertThat(acts.cancel(id).status()).isEqualTo(204);
    assertThat(acts.sign(id, ActCalls.digests("late", 1)).problem()).isEqualTo("act-cancelled");
    assertThat(acts.open(body).problem()).isEqualTo("act-cancelled");
    assertThat(acts.find(id).body().path("status").asString()).isEqualTo("cancelled");
    assertUnused(id, "cancelled");
  }

  @Test
  void expires() throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = ActCalls.body(id, SPEC, 1).with("timeToLiveSeconds", 1);
    acts.open(body);

    Await.until("its time is over", () -> status(id).equals("expired"));
    assertThat(acts.sign(id, ActCalls.digests("late", 1)).problem()).isEqualTo("act-expired");
    assertThat(acts.sign(id, ActCalls.digests("late", 1)).status()).isEqualTo(410);
    assertThat(acts.open(body).problem()).isEqualTo("act-expired");
    assertThat(acts.cancel(id).problem()).isEqualTo("act-expired");
    assertUnused(id, "expired");
  }

  @Test
  void eachCallMayBeRepeated() throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = ActCalls.body(id, SPEC, 2);
    HttpApi.Answer opened = acts.open(body);
    HttpApi.Answer again = acts.open(body);

    assertThat(opened.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(opened.body());
    assertThat(acts.open(body.with("digestCount", 3)).problem()).isEqualTo("request-id-reused");

    List<byte[]> digests = ActCalls.digests("repeated", 2);
    HttpApi.Answer signed = acts.sign(id, digests);
    assertThat(acts.sign(id, digests).body()).isEqualTo(signed.body());
    assertThat(acts.sign(id, ActCalls.digests("other", 2)).problem()).isEqualTo("act-signed");
    assertThat(acts.sign(id, digests.reversed()).problem()).isEqualTo("act-signed");
    assertThat(acts.cancel(id).problem()).isEqualTo("act-signed");
    assertThat(acts.open(body).body().path("status").asString()).isEqualTo("signed");
    assertThat(keywell.http().result(id).body().path("signature"))
        .isEqualTo(signed.body().path("signature"));
    assertThat(keywell.http().sign(SignBody.of("x").requestId(id).keySpec(SPEC)).problem())
        .isEqualTo("request-id-reused");
  }

  @Test
  void repeatsAtOnceShareOneSignature() throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = ActCalls.body(id, SPEC, 1);
    List<HttpApi.Answer> opened = atOnce(() -> acts.open(body));
    assertThat(opened).extracting(HttpApi.Answer::body).containsOnly(opened.getFirst().body());
    List<byte[]> digests = ActCalls.digests("at once", 1);
    List<HttpApi.Answer> signed = atOnce(() -> acts.sign(id, digests));

    assertThat(signed).extracting(HttpApi.Answer::body).containsOnly(signed.getFirst().body());
    assertThat(signed.getFirst().status()).isEqualTo(200);
  }

  /** One of those that differ is signed, and no other. */
  @Test
  void ofDifferentDigestsOneIsSigned() throws Exception {
    UUID id = UUID.randomUUID();
    acts.open(ActCalls.body(id, SPEC, 1));
    List<HttpApi.Answer> answers =
        atOnce(() -> acts.sign(id, ActCalls.digests(UUID.randomUUID().toString(), 1)));

    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 200)
        .extracting(HttpApi.Answer::problem)
        .isSubsetOf("act-signed", "request-in-progress");
  }

  private static List<HttpApi.Answer> atOnce(Callable<HttpApi.Answer> call) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<HttpApi.Answer> answers = new ArrayList<>();
      for (Future<HttpApi.Answer> answer :
          threads.invokeAll(Collections.nCopies(REPEATS, call), 60, TimeUnit.SECONDS)) {
        answers.add(answer.get());
      }
      return answers;
    }
  }

  @Test
  void otherDigestsThanStatedLeaveItOpen() throws Exception {
    UUID id = UUID.randomUUID();
    acts.open(ActCalls.body(id, SPEC, 2));

    for (int count : List.of(0, 1, 3, 11)) {
      assertThat(acts.sign(id, ActCalls.digests("count", count)).problem())
          .isEqualTo("digest-count");
    }
    assertThat(acts.sign(id, List.of(new byte[32], new byte[31])).problem())
        .isEqualTo("bad-digest");
    assertThat(status(id)).isEqualTo("open");
    assertThat(acts.sign(id, ActCalls.digests("count", 2)).status()).isEqualTo(200);
    assertThat(acts.sign(id, ActCalls.digests("count", 3)).problem()).isEqualTo("digest-count");
  }

  @Test
  void refusesWhatIsNotAsItShouldBe() throws Exception {
    UUID id = UUID.randomUUID();
    SignBody body = ActCalls.body(id, SPEC, 1);

    assertThat(acts.open(body.with("digestCount", 0)).problem()).isEqualTo("digest-count");
    assertThat(acts.open(body.with("digestCount", 11)).problem()).isEqualTo("digest-count");
    assertThat(acts.open(body.without("digestCount")).problem()).isEqualTo("missing-field");
    assertThat(acts.open(body.with("timeToLiveSeconds", 0)).problem())
        .isEqualTo("bad-time-to-live");
    assertThat(acts.open(body.with("timeToLiveSeconds", 301)).problem())
        .isEqualTo("bad-time-to-live");
    assertThat(acts.open(body.with("actId", "7")).problem()).isEqualTo("bad-request-id");
    assertThat(acts.open(body.with("digest", "x")).problem()).isEqualTo("unknown-field");
    assertThat(acts.find(id).problem()).isEqualTo("request-unknown");
    assertThat(acts.sign(id, ActCalls.digests("none", 1)).problem()).isEqualTo("request-unknown");
    assertThat(acts.cancel(id).problem()).isEqualTo("request-unknown");

    assertThat(keywell.http().sign(SignBody.of("bare").requestId(id).keySpec(SPEC)).status())
        .isEqualTo(200);
    assertThat(acts.find(id).problem()).isEqualTo("request-unknown");
    assertThat(acts.sign(id, ActCalls.digests("none", 1)).problem()).isEqualTo("request-unknown");
  }

  @Test
  void noMoreAreOpenThanMayBe() throws Exception {
    List<UUID> open = Stream.generate(UUID::randomUUID).limit(MAX_OPEN).toList();
    for (UUID id : open) {
      assertThat(acts.open(ActCalls.body(id, SPEC, 1)).status()).isEqualTo(201);
    }
    HttpApi.Answer refused = acts.open(ActCalls.body(UUID.randomUUID(), SPEC, 1));

    assertThat(refused.problem()).isEqualTo("act-limit");
    assertThat(refused.retryAfter()).isNotEmpty();
    assertThat(acts.open(ActCalls.body(open.getFirst(), SPEC, 1)).status()).isEqualTo(200);
    assertThat(keywell.part(KeyPools.class).depth(SPEC).leased()).isEqualTo(MAX_OPEN);
    assertThat(keywell.scrape().value("keywell_acts_open")).isEqualTo(MAX_OPEN);
    for (UUID id : open) {
      assertThat(acts.cancel(id).status()).isEqualTo(204);
    }
  }

  /** As many keys as may be loaded are held by acts, and still there is one for each request. */
  @Test
  void openActsLeaveTheLoadedKeysToOtherRequests() throws Exception {
    List<UUID> open = Stream.generate(UUID::randomUUID).limit(MAX_OPEN).toList();
    for (UUID id : open) {
      assertThat(acts.open(ActCalls.body(id, SPEC, 1)).status()).isEqualTo(201);
    }

    for (KeySpec spec : List.of(SPEC, KeySpec.RSA_2048)) {
      HttpApi.Answer signed = keywell.http().sign(SignBody.of("in one call").keySpec(spec));
      assertThat(signed.status()).as("%s: %s", spec, signed.body()).isEqualTo(200);
    }
    for (UUID id : open) {
      assertThat(acts.sign(id, ActCalls.digests("held", 1)).status()).isEqualTo(200);
    }
  }

  @Test
  void anActEndsWithTheKeysOfItsDevice() throws Exception {
    UUID id = UUID.randomUUID();
    acts.open(ActCalls.body(id, SPEC, 1));
    Hsm hsm = keywell.part(Devices.class).first().hsm();
    hsm.lose(hsm.epoch(), "the test says so");

    Await.until("it has ended", () -> status(id).equals("failed"));
    assertThat(acts.sign(id, ActCalls.digests("lost", 1)).problem()).isEqualTo("hsm-unavailable");
    assertThat(acts.open(ActCalls.body(id, SPEC, 1)).problem()).isEqualTo("hsm-unavailable");
    assertThat(
            site.sql()
                .count(
                    """
                    SELECT count(*) FROM unused_certificate u JOIN sign_request s USING (request_id)
                    WHERE request_id = '%s' AND s.destruction_return_value = -2
                    """
                        .formatted(id)))
        .isEqualTo(1);
    Await.until("it signs again", () -> signsAnother());
  }

  private boolean signsAnother() throws Exception {
    UUID id = UUID.randomUUID();
    return acts.open(ActCalls.body(id, SPEC, 1)).status() == 201
        && acts.sign(id, ActCalls.digests("after", 1)).status() == 200;
  }

  private String status(UUID id) throws Exception {
    return acts.find(id).body().path("status").asString();
  }

  /** The certificate is on record as one that was not used, and the end of its key as well. */
  private void assertUnused(UUID id, String status) throws Exception {
    assertThat(
            site.sql()
                .count(
                    """
                    SELECT count(*) FROM unused_certificate u JOIN sign_request s USING (request_id)
                    WHERE request_id = '%s' AND u.status = '%s' AND s.destruction_return_value = 0
                      AND s.key_destroyed IS NOT NULL AND s.signature IS NULL
                    """
                        .formatted(id, status)))
        .isEqualTo(1);
  }

  private static X509Certificate certificate(JsonNode act) throws Exception {
    byte[] der = act.path("certificateChain").path(0).binaryValue();
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  private static boolean verifies(X509Certificate certificate, byte[] digest, byte[] signature)
      throws Exception {
    Signature verifier = Signature.getInstance("NONEwithECDSA");
    verifier.initVerify(certificate.getPublicKey());
    verifier.update(digest);
    return verifier.verify(signature);
  }
}
