package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Relay;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.CkFunction;
import org.keywell.keypool.hsm.pkcs11.FailingCalls;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Hsm;
import org.keywell.signing.hsm.Devices;
import org.keywell.testkit.Await;
import tools.jackson.databind.JsonNode;

/** Readiness and liveness on real parts that fail, and what they say of it. */
final class HealthIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final long CKR_DEVICE_ERROR = 0x30;

  @TempDir Path home;

  private static HttpApi.Answer readiness(HttpApi management) throws Exception {
    return management.get("/actuator/health/readiness");
  }

  private static JsonNode component(HttpApi.Answer health, String name) {
    return health.body().path("components").path(name);
  }

  private static JsonNode hsm(HttpApi.Answer health) {
    return component(health, "hsm").path("details").path("devices").path("hsm");
  }

  private static void assertLive(HttpApi management) throws Exception {
    HttpApi.Answer liveness = management.get("/actuator/health/liveness");
    assertThat(liveness.status()).as(liveness.body().toString()).isEqualTo(200);
    assertThat(component(liveness, "connectors").path("status").asString("")).isEqualTo("UP");
  }

  private static void assertBlamed(HttpApi.Answer health, String part, String reason) {
    assertThat(health.status()).isEqualTo(503);
    JsonNode details = component(health, part).path("details");
    assertThat(details.path("reason").asString("")).as(health.body().toString()).contains(reason);
    assertThat(Instant.parse(details.path("since").asString("")))
        .isBetween(Instant.now().minus(Duration.ofMinutes(5)), Instant.now().plusSeconds(1));
  }

  @Test
  void anEmptyPoolThatRefusesIsNotReadyUntilItHasKeys() throws Exception {
    try (Site site = Site.create(home);
        RunningKeywell keywell = RunningKeywell.start(site.settings(Settings.pool(SPEC, 2)))) {
      Await.until("not ready", () -> readiness(keywell.management()).status() == 503);

      HttpApi.Answer health = readiness(keywell.management());
      assertBlamed(health, "pool", "keywell.pool.when-empty is refuse");
      for (String part : List.of("hsm", "ca", "database", "readinessState")) {
        assertThat(component(health, part).path("status").asString()).as(part).isEqualTo("UP");
      }
      assertLive(keywell.management());
      assertThat(keywell.scrape().value("keywell_ready", "part", "pool")).isZero();
      assertThat(keywell.scrape().value("keywell_ready", "part", "hsm")).isEqualTo(1);

      HttpApi.Answer forCallers = keywell.http().get("/readyz");
      assertThat(forCallers.status()).isEqualTo(503);
      assertThat(forCallers.body().toString())
          .as("no reasons")
          .isEqualTo("{\"status\":\"OUT_OF_SERVICE\"}");
      assertThat(keywell.http().get("/actuator/health").status())
          .as("not at the port for callers")
          .isEqualTo(404);
      assertThat(keywell.http().get("/actuator/prometheus").status()).isEqualTo(404);

      site.stock(SPEC, 1);
      Await.until("ready", () -> keywell.http().get("/readyz").status() == 200);
      assertThat(readiness(keywell.management()).status()).isEqualTo(200);
    }
  }

  /** The device's answers are made up; that it works again is proved on the real one. */
  @Test
  void aDeviceThatFailsRepeatedlyIsBlamedUntilItProvesItself() throws Exception {
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 1);
      try (RunningKeywell keywell = RunningKeywell.start(site.settings(Settings.pool(SPEC, 1)))) {
        Pkcs11Hsm device = keywell.part(Devices.class).first().pkcs11();
        FailingCalls.report(device, CkFunction.C_SIGN, CKR_DEVICE_ERROR);

        HttpApi.Answer health = readiness(keywell.management());
        assertBlamed(health, "hsm", "C_Sign returned CKR_DEVICE_ERROR (0x30), 5 times in a row");
        assertThat(hsm(health).path("loggedIn").asBoolean()).isTrue();
        assertThat(keywell.scrape().value("keywell_hsm_up")).isZero();
        assertLive(keywell.management());
        SignBody body = SignBody.of("document").keySpec(SPEC);
        Await.until(
            "refused at the door",
            () -> {
              // Its proof may have come in between.
              FailingCalls.report(device, CkFunction.C_SIGN, CKR_DEVICE_ERROR);
              HttpApi.Answer refused = keywell.http().sign(body);
              return refused.problem().equals("hsm-unavailable") && !refused.retryAfter().isEmpty();
            });

        Await.until("proved", () -> readiness(keywell.management()).status() == 200);
        assertThat(keywell.scrape().value("keywell_hsm_up")).isEqualTo(1);
        assertThat(hsm(readiness(keywell.management())).toString())
            .as("kept for operators")
            .contains("CKR_DEVICE_ERROR");
      }
    }
  }

  /** Its certificates end before the shortest that it may issue would. */
  @Test
  void aCaThatMayNotIssueIsBlamedAndCostsNoKey() throws Exception {
    Map<String, String> tooLong =
        Map.of(
            "keywell.ca.issuing.validity", "1d",
            "keywell.ca.profile.validity", "2d",
            "keywell.ca.profile.min-validity", "2d");
    try (Site site = Site.create(home)) {
      site.stock(SPEC, 1);
      try (RunningKeywell keywell =
          RunningKeywell.start(site.settings(Settings.pool(SPEC, 1), tooLong))) {
        keywell.awaitLoaded(SPEC, 1);

        HttpApi.Answer refused = keywell.http().sign(SignBody.of("document").keySpec(SPEC));

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.problem()).isEqualTo("ca-unavailable");
        assertThat(refused.retryAfter()).isNotEmpty();
        assertBlamed(readiness(keywell.management()), "ca", "keywell.ca.profile.min-validity");
        assertThat(keywell.http().get("/readyz").status()).isEqualTo(503);
        assertThat(keywell.scrape().value("keywell_ready", "part", "ca")).isZero();
        assertThat(keywell.scrape().value("keywell_sign_refused_total", "limit", "ca"))
            .isEqualTo(1);
        keywell.awaitLoaded(SPEC, 1);
      }
    }
  }

  /** A database that is reached until it is told to vanish. */
  private record DatabaseBehindRelay(Relay relay, URI server) implements AutoCloseable {

    static DatabaseBehindRelay of(Site site) throws IOException {
      URI server = URI.create(site.database().url().substring("jdbc:".length()));
      return new DatabaseBehindRelay(Relay.start(0, server), server);
    }

    Map<String, String> settings() {
      return Map.of(
          "keywell.database.url",
          "jdbc:postgresql://127.0.0.1:%d%s".formatted(relay.port(), server.getPath()));
    }

    void vanish() throws IOException {
      relay.close();
    }

    @Override
    public void close() throws IOException {
      relay.close();
    }
  }

  @Test
  void aDatabaseThatIsGoneIsBlamedAndDoesNotEndTheProcess() throws Exception {
    try (Site site = Site.create(home);
        DatabaseBehindRelay database = DatabaseBehindRelay.of(site);
        KeywellProcess keywell =
            KeywellProcess.start(
                site.settings(Settings.pool(SPEC, 1), database.settings()),
                home.resolve("log"),
                "serve")) {
      keywell.awaitReady();
      HttpApi management = keywell.management();
      database.vanish();

      Await.until(
          "the lock's loss is noticed",
          () ->
              component(readiness(management), "database")
                  .path("status")
                  .asString("")
                  .equals("OUT_OF_SERVICE"));

      assertBlamed(readiness(management), "database", "this instance's lock is not held");
      assertLive(management);
    }
  }

  /** Generations of RSA-4096 last long enough to see the service while it stops. */
  @Test
  void whileItStopsItIsNotReadyAndFinishesWhatItHas() throws Exception {
    try (Site site = Site.create(home);
        KeywellProcess keywell =
            KeywellProcess.start(
                site.settings(
                    Settings.pool(KeySpec.RSA_4096, 1),
                    Map.of("keywell.pool.when-empty", "generate", "keywell.stop-limit", "3m")),
                home.resolve("log"),
                "serve");
        ExecutorService callers = Executors.newCachedThreadPool()) {
      HttpApi http = keywell.awaitReady();
      HttpApi management = keywell.management();
      assertThat(readiness(management).status()).isEqualTo(200);
      SignBody slow = SignBody.of("slow").keySpec(KeySpec.RSA_4096).deadlineMillis(60_000);
      List<Future<HttpApi.Answer>> calls = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        calls.add(callers.submit(() -> http.sign(slow)));
      }
      Await.until(
          "all are accepted",
          () -> http.get("/pool").body().path("queue").path("length").asInt() >= 5);

      keywell.terminate();
      List<String> states = new ArrayList<>();
      while (!calls.stream().allMatch(Future::isDone)) {
        states.add(stateWhileStopping(management));
        Thread.sleep(20);
      }

      for (Future<HttpApi.Answer> call : calls) {
        assertThat(call.get().status()).as(call.get().body().toString()).isEqualTo(200);
      }
      assertThat(states)
          .as("readiness, while requests were finished")
          .contains("OUT_OF_SERVICE 503");
      // The signal takes a moment to arrive; from then on, no probe finds it ready.
      int stopping = states.indexOf("OUT_OF_SERVICE 503");
      assertThat(states.subList(stopping, states.size())).doesNotContain("UP 200");
      assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
    }
  }

  private static String stateWhileStopping(HttpApi management) throws Exception {
    try {
      HttpApi.Answer health = readiness(management);
      return component(health, "readinessState").path("status").asString("")
          + " "
          + health.status();
    } catch (IOException e) {
      return "no answer";
    }
  }
}
