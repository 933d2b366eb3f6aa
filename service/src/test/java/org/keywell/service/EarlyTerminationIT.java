package org.keywell.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.keypool.store.PostgresForTests.Database;
import org.keywell.service.running.Await;
import org.keywell.service.running.KeywellProcess;
import org.keywell.service.running.Settings;

/** SIGTERM while the service starts: it ends soon, announces nothing and leaves nothing behind. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class EarlyTerminationIT {

  /**
   * Far less than a start takes here; the longest step, the first start of a new embedded
   * PostgreSQL, comes to its end.
   */
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir Path home;

  /**
   * @param mark in the log
   */
  private record Moment(String mark, Duration after) {}

  @Test
  void aSignalAtAnyMomentOfTheStartEndsIt() throws Exception {
    Map<String, String> settings = settings();
    List<Moment> moments =
        List.of(
            new Moment("Starting Main", Duration.ZERO),
            new Moment("Starting Main", Duration.ofSeconds(2)),
            new Moment("Starting Main", Duration.ofSeconds(4)),
            new Moment("opened token", Duration.ZERO));
    for (Moment moment : moments) {
      assertEndsSoon(settings, moment);
    }

    try (KeywellProcess keywell =
        KeywellProcess.start(settings, home.resolve("whole.log"), "serve")) {
      keywell.awaitReady();
      assertThat(keywell.log()).doesNotContain("ended without order", "taking over");
      keywell.terminate();
      assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(143);
    }
  }

  private void assertEndsSoon(Map<String, String> settings, Moment moment) throws Exception {
    Path log = Files.createTempFile(home, "start", ".log");
    try (KeywellProcess keywell = KeywellProcess.start(settings, log, "serve")) {
      Await.until(moment.mark(), () -> keywell.log().contains(moment.mark()));
      Thread.sleep(moment.after());
      assertThat(keywell.log()).as("the moment").doesNotContain("is ready");
      long signalled = System.nanoTime();
      keywell.terminate();
      assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(143);
      assertThat(Duration.ofNanos(System.nanoTime() - signalled))
          .as("after %s: %s", moment, keywell.log())
          .isLessThan(SOON);
      assertThat(keywell.log()).doesNotContain("is ready", "Exception", "keywell: ");
    }
    assertThat(home.resolve("postgres/postmaster.pid")).as("%s", moment).doesNotExist();
  }

  private Map<String, String> settings() {
    Map<String, String> settings =
        new HashMap<>(
            Settings.of(
                SoftHsmToken.create(),
                new Database("embedded", "", ""),
                home,
                Settings.pool(KeySpec.EC_P256, 5)));
    settings.put("keywell.pool.specs.EC-P256.max-stored", "20");
    return settings;
  }
}
