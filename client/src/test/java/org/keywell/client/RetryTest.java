package org.keywell.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.client.LossyServer.Loss;
import org.keywell.testkit.Answers;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.keywell.testkit.TestIdentity;

/** What is asked again, how, and for how long. */
class RetryTest {
  private static final SignRequest REQUEST =
      SignRequest.of(Digest.SHA_256).digest(new byte[32]).signer(Signer.named("Astrid")).build();
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private static TestIdentity identity;
  private static String signed;

  private final HandTime time = new HandTime();

  @TempDir private Path dir;

  @BeforeAll
  static void makeAnAnswer() throws Exception {
    identity = TestIdentity.ec();
    signed = Answers.signed(identity, "ECDSA", new byte[] {1});
  }

  private KeywellClient client(URI uri) {
    return client(uri, RetryPolicy.STANDARD, null);
  }

  private KeywellClient client(URI uri, RetryPolicy policy, @Nullable SSLContext tls) {
    return new KeywellClient(new Connections(uri, tls, null), DEADLINE, policy, null, time);
  }

  @ParameterizedTest
  @EnumSource(
      value = Loss.class,
      names = {"CLOSED", "RESET", "CUT"})
  void aLostConnectionIsTriedAgainByTheSameBytesUnderTheSameId(Loss loss) throws Exception {
    try (LossyServer server = LossyServer.start(signed, n -> n < 4 ? loss : Loss.NONE);
        KeywellClient client = client(server.uri())) {
      assertThat(client.sign(REQUEST).orThrow().signature()).containsExactly(1);

      assertThat(server.bodies()).hasSize(4).containsOnly(server.bodies().getFirst());
      assertThat(server.bodies().getFirst()).containsPattern("\"requestId\":\"[0-9a-f-]{36}\"");
    }
    assertThat(time.pauses()).extracting(Duration::toMillis).containsExactly(50L, 100L, 200L);
  }

  @Test
  void anIdThatIsGivenIsKept() throws Exception {
    try (LossyServer server = LossyServer.start(signed, _ -> Loss.NONE);
        KeywellClient client = client(server.uri())) {
      SignResult _ = client.sign(REQUEST.withId("4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e"));

      assertThat(server.bodies().getFirst()).contains("4f1c2d1e-9d3b-4c57-9a3e-0f6a1c2b3d4e");
    }
  }

  /** A machine that has lost its power closes nothing. */
  @Test
  void whoIsSilentForLongIsLeft() throws Exception {
    RetryPolicy impatient =
        new RetryPolicy(Duration.ofMillis(200), Duration.ofMillis(1), Duration.ofSeconds(1), 0);
    try (LossyServer server = LossyServer.start(signed, n -> n == 1 ? Loss.SILENT : Loss.NONE);
        KeywellClient client = client(server.uri(), impatient, null)) {
      assertThat(client.sign(REQUEST)).isInstanceOf(SignResult.Signed.class);

      assertThat(server.silentOneClosed.await(20, TimeUnit.SECONDS)).as("its connection").isTrue();
    }
  }

  @Test
  void aLostConnectionOfTlsIsTriedAgain() throws Exception {
    try (LossyServer server =
            LossyServer.on(tlsListener(), "https", signed, n -> n < 3 ? Loss.CLOSED : Loss.NONE);
        KeywellClient client = client(server.uri(), RetryPolicy.STANDARD, trusting(identity))) {
      assertThat(client.sign(REQUEST)).isInstanceOf(SignResult.Signed.class);

      assertThat(server.bodies()).hasSize(3);
    }
  }

  @Test
  void aServerThatIsNotTrustedIsNotAskedAgain() throws Exception {
    try (LossyServer server = LossyServer.on(tlsListener(), "https", signed, _ -> Loss.NONE);
        KeywellClient client =
            client(server.uri(), RetryPolicy.STANDARD, trusting(TestIdentity.ec()))) {
      NoAnswerException e =
          catchThrowableOfType(NoAnswerException.class, () -> client.sign(REQUEST));

      assertThat(e).hasCauseInstanceOf(SSLException.class);
      assertThat(e.tries()).isEqualTo(1);
    }
  }

  @Test
  void allTriesHaveOneDeadline() throws Exception {
    try (LossyServer server = LossyServer.start(signed, _ -> Loss.CLOSED);
        KeywellClient client = client(server.uri())) {
      NoAnswerException e =
          catchThrowableOfType(NoAnswerException.class, () -> client.sign(REQUEST));

      Duration slept = time.pauses().stream().reduce(Duration.ZERO, Duration::plus);
      assertThat(slept).isLessThan(DEADLINE).isGreaterThan(DEADLINE.minusSeconds(5));
      assertThat(e.tries()).isEqualTo(time.pauses().size() + 1).isEqualTo(server.bodies().size());
      assertThat(e.id()).isPresent();
      assertThat(server.bodies().getFirst()).contains(e.id().orElseThrow());
      assertThat(e).hasMessageContaining(e.id().orElseThrow()).hasMessageContaining("30000 ms");
    }
    assertThat(time.pauses()).allSatisfy(p -> assertThat(p).isLessThan(Duration.ofSeconds(5)));
  }

  @Test
  void theLastTryHasWhatIsLeftOfTheDeadline() throws Exception {
    try (LossyServer server = LossyServer.start(signed, _ -> Loss.SILENT);
        KeywellClient client = client(server.uri()).within(Duration.ofMillis(200))) {
      assertThatExceptionOfType(NoAnswerException.class)
          .isThrownBy(() -> client.sign(REQUEST))
          .withCauseInstanceOf(HttpTimeoutException.class);
    }
  }

  @Test
  void nobodyThereIsTriedAgainAndThenTold() throws Exception {
    URI nowhere;
    try (LossyServer server = LossyServer.start(signed, _ -> Loss.NONE)) {
      nowhere = server.uri();
    }
    try (KeywellClient client = client(nowhere)) {
      assertThatExceptionOfType(NoAnswerException.class)
          .isThrownBy(() -> client.chainPem())
          .withCauseInstanceOf(ConnectException.class)
          .satisfies(e -> assertThat(e.tries()).isGreaterThan(5))
          .satisfies(e -> assertThat(e.id()).isEmpty());
    }
  }

  @ParameterizedTest
  @CsvSource({"429, rate-limit", "503, queue-full", "503, hsm-unavailable"})
  void comesAgainWhenTheServiceSays(int status, String problem) throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = client(service.uri())) {
      AtomicInteger asked = new AtomicInteger();
      service.when(
          "POST /sign",
          _ ->
              asked.incrementAndGet() < 3
                  ? keywells(status, problem).with("Retry-After", "7")
                  : Answer.json(signed));

      assertThat(client.sign(REQUEST)).isInstanceOf(SignResult.Signed.class);

      assertThat(service.bodies()).hasSize(3);
      assertThat(service.bodies().get(2)).isEqualTo(service.bodies().getFirst());
    }
    assertThat(time.pauses()).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(7));
  }

  @Test
  void isToldAtOnceIfTheTimeToComeAgainIsPastTheDeadline() throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = client(service.uri())) {
      service.when("POST /sign", _ -> keywells(429, "quota-used").with("Retry-After", "36000"));

      Problem problem = ((SignResult.Refused) client.sign(REQUEST)).problem();

      assertThat(problem.is("quota-used")).isTrue();
      assertThat(problem.retryAfter()).isEqualTo(Duration.ofHours(10));
      assertThat(service.bodies()).hasSize(1);
    }
    assertThat(time.pauses()).isEmpty();
  }

  /** It is on record: the same id gets the same answer. */
  @ParameterizedTest
  @CsvSource({
    "503, pool-empty",
    "504, deadline",
    "500, interrupted",
    "400, bad-digest",
    "410, act-expired",
    "409, act-signed",
    "421, host-not-allowed"
  })
  void whatStaysAsItIsIsNotAskedAgain(int status, String problem) throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = client(service.uri())) {
      service.when("POST /acts/x/sign", _ -> keywells(status, problem));

      assertThatExceptionOfType(ServiceProblemException.class)
          .isThrownBy(() -> client.signAct("x", List.of(new byte[32])))
          .satisfies(e -> assertThat(e.problem().is(problem)).isTrue());

      assertThat(service.bodies()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {502, 503, 504})
  void aBalancerWithoutAnInstanceIsALostConnection(int status) throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = client(service.uri())) {
      AtomicInteger asked = new AtomicInteger();
      service.when(
          "POST /sign",
          _ ->
              asked.incrementAndGet() < 3
                  ? new Answer(status, "text/html", "<html>".getBytes(UTF_8))
                  : Answer.json(signed));

      assertThat(client.sign(REQUEST)).isInstanceOf(SignResult.Signed.class);
    }
    assertThat(time.pauses()).hasSize(2);
  }

  /** After a lost connection the first request may still be at work. */
  @Test
  void oneThatIsWorkedOnIsAskedForAgain() throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = client(service.uri())) {
      AtomicInteger asked = new AtomicInteger();
      service.when(
          "POST /sign",
          _ ->
              asked.incrementAndGet() == 1
                  ? keywells(409, "request-in-progress")
                  : Answer.json(signed));

      assertThat(client.sign(REQUEST)).isInstanceOf(SignResult.Signed.class);
    }
  }

  @Test
  void anActElsewhereIsLookedForOverNewConnections() throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = client(service.uri())) {
      AtomicInteger asked = new AtomicInteger();
      service.when(
          "POST /acts/x/sign",
          _ -> asked.incrementAndGet() < 4 ? elsewhere() : Answer.json(signed));

      assertThat(client.signAct("x", List.of(new byte[32])).signature()).containsExactly(1);

      assertThat(service.callers()).hasSize(4).doesNotHaveDuplicates();
    }
  }

  @Test
  void anActThatNoConnectionLeadsToIsTold() throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = client(service.uri())) {
      service.when("DELETE /acts/x", _ -> elsewhere());

      assertThatExceptionOfType(ServiceProblemException.class)
          .isThrownBy(() -> client.cancelAct("x"))
          .satisfies(e -> assertThat(e.problem().heldBy()).isEqualTo("keywell-2"));

      assertThat(service.callers())
          .hasSize(1 + RetryPolicy.STANDARD.newConnections())
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void aClientThatTriesOnceDoesSo() throws Exception {
    try (LossyServer server = LossyServer.start(signed, n -> n == 1 ? Loss.CLOSED : Loss.NONE);
        KeywellClient client = KeywellClient.at(server.uri()).withoutRetries().build()) {
      assertThatExceptionOfType(NoAnswerException.class)
          .isThrownBy(() -> client.sign(REQUEST))
          .satisfies(e -> assertThat(e.tries()).isEqualTo(1));

      assertThat(server.bodies()).hasSize(1);
      assertThat(server.bodies().getFirst()).as("the service names it").doesNotContain("requestId");
    }
  }

  /** They ask how it is now. */
  @Test
  void readinessAndPoolAreAskedForOnce() throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = client(service.uri())) {
      service.when("GET /readyz", _ -> keywells(503, "x").with("Retry-After", "1"));
      service.when("GET /pool", _ -> keywells(503, "x").with("Retry-After", "1"));

      assertThat(client.isReady()).isFalse();
      assertThat(client.poolOnceUp()).isEmpty();

      assertThat(service.bodies()).hasSize(2);
    }
  }

  @Test
  void whoIsInterruptedLeavesAtOnceAndEndsTheExchange() throws Exception {
    try (LossyServer server = LossyServer.start(signed, _ -> Loss.SILENT);
        KeywellClient client = client(server.uri());
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<?> call = threads.submit(() -> client.sign(REQUEST));
      assertThat(server.silentOneReached.await(20, TimeUnit.SECONDS)).isTrue();

      call.cancel(true);

      assertThat(server.silentOneClosed.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void manyThreadsShareAClient() throws Exception {
    int requests = 200;
    try (LossyServer server = LossyServer.start(signed, n -> n % 3 == 0 ? Loss.CLOSED : Loss.NONE);
        KeywellClient client = client(server.uri()).within(Duration.ofHours(20));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<SignResult>> results = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        results.add(threads.submit(() -> client.sign(REQUEST)));
      }
      for (Future<SignResult> result : results) {
        assertThat(result.get(60, TimeUnit.SECONDS)).isInstanceOf(SignResult.Signed.class);
      }
      assertThat(new HashSet<>(server.bodies())).as("one id each").hasSize(requests);
      assertThat(server.bodies()).hasSizeGreaterThan(requests);
    }
  }

  private static Answer keywells(int status, String problem) {
    return Answer.problem(
        status, "{\"type\":\"urn:keywell:problem:%s\",\"status\":%d}".formatted(problem, status));
  }

  private static Answer elsewhere() {
    return Answer.problem(
        421,
        "{\"type\":\"urn:keywell:problem:act-elsewhere\",\"status\":421,\"heldBy\":\"keywell-2\"}");
  }

  private static ServerSocket tlsListener() throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(identity.store(), TestIdentity.PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context
        .getServerSocketFactory()
        .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  private SSLContext trusting(TestIdentity other) throws Exception {
    return PemTls.context(
        Files.writeString(dir.resolve("trusted.pem"), other.certificatePem()), null, null);
  }
}
