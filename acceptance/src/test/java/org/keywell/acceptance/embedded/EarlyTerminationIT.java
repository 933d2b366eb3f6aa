package org.keywell.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresForTests.Database;

/** SIGTERM while the service starts: it ends soon, announces nothing and leaves nothing behind. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Tag("fault")
final class EarlyTerminationIT {

  /**
   * Far less than a start takes here; the longest step, the first start of a new embedded
   * PostgreSQL, comes to its end.
   */
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir Path home;

  @Test
  void aSignalAtAnyMomentOfTheStartEndsIt() throws Exception {
    Map<String, String> settings = settings();
    for (long millis : new long[] {300, 1_000, 2_000, 3_000}) {
      // A quick machine may be through with its start by the last of them.
      assertEndsSoon(settings, keywell -> Thread.sleep(millis));
    }
    String late =
        assertEndsSoon(
            settings,
            keywell ->
                Await.until("the token is open", () -> keywell.log().contains("opened token")));
    assertThat(late).doesNotContain("is ready");

    try (KeywellProcess keywell =
        KeywellProcess.startStandalone(settings, home.resolve("whole.log"), "serve")) {
      keywell.awaitReady();
      assertThat(keywell.log()).doesNotContain("ended without order", "taking over");
      keywell.terminate();
      assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(143);
    }
  }

  /** Comes when the signal is to be sent. */
  private interface Moment {
    void await(KeywellProcess keywell) throws Exception;
  }

  /** Returns the log. */
  private String assertEndsSoon(Map<String, String> settings, Moment moment) throws Exception {
    Path log = Files.createTempFile(home, "start", ".log");
    try (KeywellProcess keywell = KeywellProcess.startStandalone(settings, log, "serve")) {
      moment.await(keywell);
      long signalled = System.nanoTime();
      keywell.terminate();
      assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(143);
      assertThat(Duration.ofNanos(System.nanoTime() - signalled))
          .as(keywell.log())
          .isLessThan(SOON);
      assertThat(keywell.log()).doesNotContain("Exception", "keywell: ");
      assertThat(home.resolve("postgres/postmaster.pid")).as(keywell.log()).doesNotExist();
      return keywell.log();
    }
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
