package org.keywell.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.keywell.testkit.Answers;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.keywell.testkit.TestIdentity;

class KeywellClientTest {
  private static final SignRequest REQUEST =
      new SignRequest(
          null,
          "SHA-256",
          new byte[32],
          null,
          "RSA-2048",
          "short-lived",
          Signer.named("Åsa Öberg"),
          3000L);

  private StubService service;
  private KeywellClient client;

  @BeforeEach
  void start() throws IOException {
    service = StubService.start();
    client = new KeywellClient(service.uri());
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
  }

  @Test
  void sendsWhatIsSetAndLeavesOutWhatIsNot() throws Exception {
    service.when("POST /sign", _ -> Answer.problem(400, "{}"));

    client.sign(REQUEST);

    assertThat(new String(service.bodies().getFirst(), UTF_8))
        .isEqualTo(
            "{\"digestAlgorithm\":\"SHA-256\","
                + "\"digest\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\","
                + "\"keySpec\":\"RSA-2048\",\"profile\":\"short-lived\",\"signer\":{\"commonName\":\"Åsa Öberg\"},"
                + "\"deadlineMillis\":3000}");
  }

  @Test
  void namesTheExperimentIfThereIsOne() throws Exception {
    service.when("POST /sign", _ -> Answer.problem(400, "{}"));

    client.sign(REQUEST);
    client.sign(REQUEST, "ramp-20260102:1");

    assertThat(service.headers("Keywell-Test-Id")).containsExactly("", "ramp-20260102:1");
  }

  @Test
  void readsASignature() throws Exception {
    TestIdentity identity = TestIdentity.rsa();
    String body = Answers.signed(identity, "RSASSA-PKCS1-v1_5", new byte[] {1, 2, 3});
    service.when("POST /sign", _ -> Answer.json(body));

    SignResult result = client.sign(REQUEST);

    assertThat(result).isInstanceOf(SignResult.Signed.class);
    SignResponse response = ((SignResult.Signed) result).response();
    assertThat(response.signature()).containsExactly(1, 2, 3);
    assertThat(response.certificateChain()).hasSize(2).contains(identity.certificateDer());
    assertThat(response.preGeneratedKeyPair()).isTrue();
    assertThat(response.timestamps().signed()).isEqualTo("2026-01-02T03:04:05.001300Z");
    assertThat(response.processTimeMicros()).isEqualTo(4400);
    assertThat(result.roundTrip()).isPositive();
  }

  @Test
  void aRefusalIsAResult() throws Exception {
    service.when(
        "POST /sign",
        _ ->
            Answer.problem(
                503,
                """
                {"type":"urn:keywell:problem:queue-full","title":"The queue is full","status":503,
                 "detail":"keywell.sign.queue-limit is 150","retryAfterSeconds":1}
                """));

    SignResult result = client.sign(REQUEST);

    assertThat(result).isInstanceOf(SignResult.Refused.class);
    assertThat(((SignResult.Refused) result).problem())
        .isEqualTo(
            new Problem(
                "urn:keywell:problem:queue-full",
                "The queue is full",
                "keywell.sign.queue-limit is 150",
                503));
  }

  @Test
  void aFailureWithoutDocumentIsToldByItsStatus() throws Exception {
    service.when("POST /sign", _ -> new Answer(502, "text/html", "<html>".getBytes(UTF_8)));

    SignResult result = client.sign(REQUEST);

    assertThat(((SignResult.Refused) result).problem().summary())
        .contains("HTTP status 502")
        .contains("/sign");
  }

  @Test
  void aBrokenProblemDocumentIsToldByItsStatus() throws Exception {
    service.when("POST /sign", _ -> Answer.problem(500, "{\"type\":"));

    SignResult result = client.sign(REQUEST);

    assertThat(((SignResult.Refused) result).problem().status()).isEqualTo(500);
  }

  @Test
  void aForeignServerIsNoticed() {
    service.when("POST /sign", _ -> Answer.json("<html>hello</html>"));

    assertThatExceptionOfType(UnexpectedAnswerException.class)
        .isThrownBy(() -> client.sign(REQUEST))
        .withMessageContaining("is it a Keywell service?");
  }

  @Test
  void anAnswerWithoutItsPartsIsNoticed() {
    service.when("POST /sign", _ -> Answer.json("{}"));

    assertThatExceptionOfType(UnexpectedAnswerException.class)
        .isThrownBy(() -> client.sign(REQUEST))
        .withMessageContaining("is it a Keywell service?");
  }

  @Test
  void anEndlessAnswerIsCutOff() {
    service.when("GET /pool", _ -> new Answer(200, "application/json", new byte[2 << 20]));

    assertThatExceptionOfType(UnexpectedAnswerException.class).isThrownBy(() -> client.pool());
  }

  @Test
  void readsThePool() throws Exception {
    service.when("GET /pool", _ -> Answer.json(Answers.POOL));

    PoolStatus pool = client.pool();

    assertThat(pool.isPooled()).isTrue();
    assertThat(pool.depth("RSA-2048")).isEqualTo(112);
    assertThat(pool.depth("EC-P256")).isZero();
    assertThat(pool.queue()).isEqualTo(new PoolStatus.Queue(3, 150));
  }

  @Test
  void readinessIsAStatus() throws Exception {
    service.when("GET /readyz", _ -> Answer.json("{\"status\":\"UP\"}"));
    assertThat(client.isReady()).isTrue();

    service.when("GET /readyz", _ -> Answer.problem(503, "{}"));
    assertThat(client.isReady()).isFalse();
  }

  @Test
  void aProblemInsteadOfTheChainIsThrown() {
    assertThatExceptionOfType(ServiceProblemException.class)
        .isThrownBy(() -> client.chainPem())
        .satisfies(e -> assertThat(e.problem().status()).isEqualTo(404));
  }

  @Test
  void aServiceThatIsNotThereIsAConnectException() throws Exception {
    URI nowhere = service.uri();
    service.close();

    try (KeywellClient late = new KeywellClient(nowhere)) {
      assertThatExceptionOfType(NoAnswerException.class)
          .isThrownBy(() -> late.pool())
          .withCauseInstanceOf(ConnectException.class);
      assertThat(late.poolOnceUp()).isEmpty();
      assertThat(late.isReady()).isFalse();
    }
  }

  @Test
  void waitsNoLongerThanToldTo() {
    CountDownLatch gaveUp = new CountDownLatch(1);
    service.when(
        "GET /pool",
        _ -> {
          gaveUp.await();
          return Answer.json(Answers.POOL);
        });

    try (KeywellClient impatient = new KeywellClient(service.uri(), Duration.ofMillis(100), null)) {
      assertThatExceptionOfType(NoAnswerException.class)
          .isThrownBy(() -> impatient.pool())
          .withCauseInstanceOf(HttpTimeoutException.class);
    } finally {
      gaveUp.countDown();
    }
  }

  @Test
  void keepsAPathThatTheAddressHas() throws Exception {
    service.when("GET /keywell/pool", _ -> Answer.json(Answers.POOL));

    try (KeywellClient proxied = new KeywellClient(service.uri().resolve("/keywell"))) {
      assertThat(proxied.pool().mode()).isEqualTo("pooled");
    }
  }
}
