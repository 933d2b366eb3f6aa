package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.BrokerProcess;
import org.keywell.acceptance.running.JmsClient;
import org.keywell.acceptance.running.JmsClient.Answer;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;

/** The broker, the service, or both are away, or the core has no room. */
@Timeout(280)
final class JmsOutageIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String DOCUMENT = "a document";
  private static final int LOADED = 25;
  private static final long SOON = 90_000;

  private @TempDir Path home;
  private @TempDir Path files;
  private Site site;
  private int port;

  @BeforeEach
  void begin() throws Exception {
    site = Site.create(home);
    port = ArtemisBroker.freePort();
  }

  @AfterEach
  void end() {
    site.close();
  }

  private Map<String, String> settings(int keys) throws Exception {
    return site.settings(Settings.pool(SPEC, keys), ArtemisBroker.settings(port, files));
  }

  private static String body(UUID id) {
    return SignBody.of(DOCUMENT).keySpec(SPEC).requestId(id).deadlineMillis(30_000).json();
  }

  private static String health(RunningKeywell keywell) throws Exception {
    return keywell.management().get("/actuator/health").body().at("/components/jms").toString();
  }

  @Test
  void theServiceStartsWithoutABrokerAndTakesRequestsOnceItIsThere() throws Exception {
    site.stock(SPEC, 2);
    try (RunningKeywell keywell = RunningKeywell.start(settings(2))) {
      assertThat(health(keywell)).contains("OUT_OF_SERVICE");
      assertThat(keywell.management().get("/actuator/health/readiness").status()).isEqualTo(200);
      try (ArtemisBroker _ = ArtemisBroker.start(files.resolve("broker"), port, true);
          JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
        portal.send("late", body(UUID.randomUUID()));
        Objects.requireNonNull(portal.next(SOON)).verify("SHA256withECDSA", DOCUMENT);
        assertThat(health(keywell)).contains("\"UP\"");
      }
      Await.until("the outage is seen", () -> health(keywell).contains("OUT_OF_SERVICE"));
    }
  }

  @Test
  void nothingIsTakenFromABrokerThatBelievesItsSenders() throws Exception {
    site.stock(SPEC, 1);
    try (ArtemisBroker _ = ArtemisBroker.start(files.resolve("broker"), port, false);
        RunningKeywell keywell = RunningKeywell.start(settings(1));
        JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
      Await.until("health says why", () -> health(keywell).contains("populate-validated-user"));
      portal.send("nobody's", body(UUID.randomUUID()));
      assertThat(portal.next(2_000)).isNull();
      assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isZero();
    }
  }

  /** A caller over HTTP would be told to come again; here, requests wait at the broker. */
  @Test
  void whileThereAreNoKeysRequestsStayAtTheBroker() throws Exception {
    int requests = 8;
    site.stock(SPEC, 1);
    try (ArtemisBroker broker = ArtemisBroker.start(files.resolve("broker"), port, true);
        RunningKeywell keywell = RunningKeywell.start(settings(1));
        JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
      keywell.awaitLoaded(SPEC, 1);
      for (int i = 0; i < requests; i++) {
        portal.send("r" + i, body(UUID.randomUUID()));
      }
      Objects.requireNonNull(portal.next(SOON)).verify("SHA256withECDSA", DOCUMENT);
      assertThat(portal.next(1_000)).isNull();
      assertThat(broker.messages(ArtemisBroker.REQUESTS)).isEqualTo(requests - 1);

      site.stock(SPEC, requests);
      for (int i = 1; i < requests; i++) {
        Objects.requireNonNull(portal.next(SOON)).verify("SHA256withECDSA", DOCUMENT);
      }
      assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE status = 'signed'"))
          .isEqualTo(requests);
      assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isEqualTo(requests);
    }
  }

  /** Kills the broker, then the service, then both, each in the middle of requests. */
  @Test
  void nothingIsLostAndNothingSignedTwice() throws Exception {
    int requests = 400;
    // Those that are loaded when the service is killed are forfeited.
    site.stock(SPEC, requests + 3 * LOADED);
    Map<String, UUID> sent = new HashMap<>();
    Map<String, Answer> answers = new HashMap<>();
    Set<String> signatures = new HashSet<>();
    BrokerProcess broker = BrokerProcess.start(files, port);
    KeywellProcess keywell = start("log1");
    try {
      for (int round = 0; round < 4; round++) {
        try (JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
          for (int i = 0; i < requests / 4; i++) {
            String correlation = round + "-" + i;
            sent.put(correlation, UUID.randomUUID());
            portal.send(correlation, body(sent.get(correlation)));
          }
          for (int i = 0; i < 20; i++) {
            take(portal, answers);
          }
        }
        if (round == 0 || round == 2) {
          broker.kill();
        }
        if (round == 1 || round == 2) {
          keywell.kill();
          keywell = start("log" + (round + 2));
        }
        if (round == 0 || round == 2) {
          TimeUnit.SECONDS.sleep(1);
          broker = BrokerProcess.start(files, port);
        }
      }
      try (JmsClient portal = JmsClient.artemis(port, ArtemisBroker.PORTAL)) {
        while (answers.size() < requests) {
          take(portal, answers);
        }
        assertThat(portal.next(1_000)).as("each request has one answer").isNull();
      }
    } finally {
      keywell.kill();
      broker.kill();
    }
    int signed = 0;
    for (Map.Entry<String, UUID> request : sent.entrySet()) {
      Answer answer = Objects.requireNonNull(answers.get(request.getKey()));
      if (answer.type().equals("SignResponse")) {
        answer.verify("SHA256withECDSA", DOCUMENT);
        assertThat(answer.body().path("requestId").asString())
            .isEqualTo(request.getValue().toString());
        assertThat(signatures.add(answer.body().path("signature").asString())).isTrue();
        signed++;
      } else {
        // In flight when the service was killed: on record as such, and its key gone.
        assertThat(answer.problem()).as(answer.text()).isEqualTo("interrupted");
      }
    }
    assertThat(site.sql().count("SELECT count(*) FROM sign_request")).isEqualTo(requests);
    assertThat(site.sql().count("SELECT count(*) FROM sign_request WHERE status = 'signed'"))
        .isEqualTo(signed);
    assertThat(site.sql().count("SELECT count(*) FROM used_key")).isGreaterThanOrEqualTo(signed);
    assertThat(requests - signed).as("requests in flight at two kills").isLessThanOrEqualTo(20);
  }

  private KeywellProcess start(String log) throws Exception {
    KeywellProcess keywell = KeywellProcess.start(settings(LOADED), files.resolve(log), "serve");
    var _ = keywell.awaitReady();
    return keywell;
  }

  /** An answer may come twice if the broker was killed before it knew that it was read. */
  private static void take(JmsClient portal, Map<String, Answer> answers) throws Exception {
    Answer answer = Objects.requireNonNull(portal.next(SOON), "no answer came");
    @Nullable Answer before = answers.put(answer.correlationId(), answer);
    if (before != null) {
      assertThat(answer.body().path("signature")).isEqualTo(before.body().path("signature"));
    }
  }
}
