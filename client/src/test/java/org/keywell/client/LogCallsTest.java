package org.keywell.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;

/** What the client gets from the service's log. */
class LogCallsTest {
  private static final String ID = "4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e";
  private static final byte[] PROOF = "c2sp.org/tlog-proof@v1\n".getBytes(UTF_8);

  private final HandTime time = new HandTime();
  private StubService service;
  private KeywellClient client;

  @BeforeEach
  void start() throws IOException {
    service = StubService.start();
    client =
        new KeywellClient(
            new Connections(service.uri(), null, null), Duration.ofSeconds(30), null, null, time);
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
  }

  private static Answer notFound(String problem) {
    return Answer.problem(
        404, "{\"type\":\"urn:keywell:problem:%s\",\"status\":404}".formatted(problem));
  }

  @Test
  void asksForAProofUntilTheLogHasIt() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    service.when(
        "GET /log/proof/" + ID,
        _ ->
            asked.incrementAndGet() < 4
                ? notFound("log-entry-not-found")
                : new Answer(200, "text/plain", PROOF));

    assertThat(client.logProof(ID, Duration.ofSeconds(10))).isEqualTo(PROOF);

    assertThat(time.pauses()).extracting(Duration::toMillis).containsExactly(50L, 100L, 200L);
  }

  @Test
  void givesUpWhenPatienceEnds() {
    service.when("GET /log/proof/" + ID, _ -> notFound("log-entry-not-found"));

    assertThatExceptionOfType(ServiceProblemException.class)
        .isThrownBy(() -> client.logProof(ID, Duration.ofSeconds(1)))
        .satisfies(e -> assertThat(e.problem().is("log-entry-not-found")).isTrue());

    assertThat(time.nanos()).isBetween(500_000_000L, 1_000_000_000L);
  }

  @Test
  void aRefusalOfAnotherKindIsFinal() {
    service.when("GET /log/proof/" + ID, _ -> notFound("request-unknown"));

    assertThatExceptionOfType(ServiceProblemException.class)
        .isThrownBy(() -> client.logProof(ID, Duration.ofSeconds(10)));

    assertThat(time.pauses()).isEmpty();
  }

  @Test
  void readsBundlesThatAreLongerThanAnyOtherAnswer() throws Exception {
    byte[] bundle = new byte[256 * (2 + 65_535)];
    bundle[bundle.length - 1] = 1;
    service.when("GET /log/tile/entries/000", _ -> new Answer(200, "text/plain", bundle));
    service.when(
        "GET /log/tile/entries/001",
        _ -> new Answer(200, "text/plain", new byte[bundle.length + 1]));

    assertThat(client.log("tile/entries/000")).hasValue(bundle);
    assertThatExceptionOfType(UnexpectedAnswerException.class)
        .isThrownBy(() -> client.log("tile/entries/001"))
        .withMessageContaining("longer than");
  }

  @Test
  void whatTheLogDoesNotHaveIsEmpty() throws Exception {
    service.when("GET /log/key", _ -> Answer.problem(403, "{\"status\":403}"));

    assertThat(client.log("checkpoint")).isEmpty();
    assertThatExceptionOfType(ServiceProblemException.class).isThrownBy(() -> client.log("key"));
  }
}
