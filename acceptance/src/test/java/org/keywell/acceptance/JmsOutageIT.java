package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ArtemisBroker;
import org.keywell.acceptance.running.JmsClient;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.FreePort;

/** The broker, the service, or both are away, or the core has no room. */
@Timeout(280)
final class JmsOutageIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String DOCUMENT = "a document";
  private static final long SOON = 90_000;

  private @TempDir Path home;
  private @TempDir Path files;
  private Site site;
  private int port;

  @BeforeEach
  void begin() throws Exception {
    site = Site.create(home);
    port = FreePort.find();
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
}
