package org.keywell.acceptance;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.Sql;

/** Calls to the HSM that never return: everybody is answered, and the process ends in time. */
@Timeout(180)
@Tag("process")
@Tag("fault")
final class HangIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int CALLERS = 10;

  @TempDir Path home;

  @Test
  void aSignatureThatNeverReturnsEndsTheProcessAfterAllAreAnswered() throws Exception {
    try (FaultyModule module = FaultyModule.create(home.resolve("hsm"));
        Site site = Site.create(home, module.path())) {
      site.stock(SPEC, 100);
      try (KeywellProcess keywell =
              serve(site, Map.of("keywell.hsm.hang-limit", "14s", "keywell.stop-limit", "12s"));
          ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        HttpApi http = keywell.awaitReady();
        HttpApi management = keywell.management();
        Await.until("a request is signed", () -> sign(http).status() == 200);
        module.inject("C_Sign", Fault.hanging());
        long began = System.nanoTime();
        List<Future<HttpApi.Answer>> answers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
          answers.add(callers.submit(() -> sign(http)));
        }
        Await.until("the call hangs", () -> module.faults("C_Sign") > 0);

        for (Future<HttpApi.Answer> answer : answers) {
          assertThat(answer.get(40, SECONDS).problem()).isIn("hsm-unavailable", "interrupted");
        }
        Await.until(
            "liveness says so, or the process has ended",
            () -> !keywell.isAlive() || isDead(management));
        assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(75);
        System.out.printf(
            "the process has ended %d ms after the call began%n",
            (System.nanoTime() - began) / 1_000_000);
        assertThat(keywell.log()).contains("keywell.hsm.hang-limit");
      }
      Sql sql = site.sql();
      assertThat(sql.count("SELECT count(*) FROM sign_request WHERE status = 'received'")).isZero();
      assertThat(
              sql.count(
                  """
                  SELECT count(*) FROM sign_request
                  WHERE failure = 'hsm-unavailable' AND key_id IS NOT NULL
                  AND destruction_return_value = -1
                  """))
          .as("requests whose call hung, with their key")
          .isEqualTo(1);

      module.clear("C_Sign");
      try (KeywellProcess keywell = serve(site, Map.of())) {
        HttpApi http = keywell.awaitReady();
        Await.until("a request is signed", () -> sign(http).status() == 200);
        keywell.terminate();
        assertThat(keywell.awaitExit()).isIn(0, 143);
      }
    }
  }

  /** What was in progress has lasted for longer than hang-limit when the process wakes. */
  @Test
  void aProcessThatWasFrozenDuringACallGoesOn() throws Exception {
    try (FaultyModule module = FaultyModule.create(home.resolve("hsm"));
        Site site = Site.create(home, module.path())) {
      site.stock(SPEC, 100);
      try (KeywellProcess keywell =
              serve(site, Map.of("keywell.hsm.call-limit", "5s", "keywell.hsm.hang-limit", "10s"));
          ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
        HttpApi http = keywell.awaitReady();
        Await.until("a request is signed", () -> sign(http).status() == 200);
        module.inject("C_Sign", Fault.hanging().times(1));
        var _ = callers.submit(() -> sign(http));
        Await.until("a call is in progress", () -> module.faults("C_Sign") > 0);

        keywell.freeze();
        Thread.sleep(Duration.ofSeconds(12));
        keywell.thaw();
        Thread.sleep(Duration.ofSeconds(2));
        module.clear("C_Sign");

        Await.until("a request is signed", () -> sign(http).status() == 200);
        assertThat(keywell.log()).contains("this process stood still");
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
      }
    }
  }

  @Test
  void aStopDuringAHangEndsInTimeAndASecondSignalEndsItAtOnce() throws Exception {
    try (FaultyModule module = FaultyModule.create(home.resolve("hsm"));
        Site site = Site.create(home, module.path())) {
      site.stock(SPEC, 100);
      assertThat(secondsToEnd(site, module, 1)).isBetween(5L, 20L);
      assertThat(secondsToEnd(site, module, 2)).isLessThan(5);
      assertThat(
              site.sql().count("SELECT count(*) FROM sign_request WHERE failure = 'interrupted'"))
          .as("one failed by the stop, one by the next start")
          .isPositive();
    }
  }

  /** Of a service whose only sign thread hangs, from the last signal on. */
  private long secondsToEnd(Site site, FaultyModule module, int signals) throws Exception {
    try (KeywellProcess keywell =
            serve(site, Map.of("keywell.hsm.hang-limit", "0", "keywell.stop-limit", "10s"));
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      HttpApi http = keywell.awaitReady();
      Await.until("a request is signed", () -> sign(http).status() == 200);
      long before = module.faults("C_Sign");
      module.inject("C_Sign", Fault.hanging());
      var _ = callers.submit(() -> sign(http));
      Await.until("the call hangs", () -> module.faults("C_Sign") > before);
      keywell.terminate();
      for (int i = 1; i < signals; i++) {
        Thread.sleep(Duration.ofMillis(1_500));
        keywell.terminate();
      }
      long began = System.nanoTime();
      int code = keywell.awaitExit();
      long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
      assertThat(code).as(keywell.log()).isEqualTo(signals == 1 ? 75 : 143);
      if (signals == 1) {
        assertThat(keywell.log()).contains("keywell.stop-limit", "keywell-sign-1");
      }
      return seconds;
    } finally {
      module.clear("C_Sign");
    }
  }

  private static HttpApi.Answer sign(HttpApi http) throws Exception {
    return http.sign(SignBody.of("document").keySpec(SPEC));
  }

  private static boolean isDead(HttpApi management) {
    try {
      return management.get("/actuator/health/liveness").status() == 503;
    } catch (Exception e) {
      return true;
    }
  }

  private KeywellProcess serve(Site site, Map<String, String> more) throws Exception {
    return KeywellProcess.start(
        site.settings(Settings.pool(SPEC, 20), more),
        home.resolve("log-" + System.nanoTime()),
        "serve");
  }
}
