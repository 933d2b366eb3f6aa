package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.PatientCallers;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;

/** Two instances on one token: while one signs, the other makes no keys in it. */
@Timeout(120)
@Tag("softhsm")
@Tag("postgresql")
@Tag("process")
@Tag("fault")
final class SharedTokenIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final Duration WHILE = Duration.ofSeconds(4);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** Two, and what a busy machine takes. */
  private static final Duration GOES_ON_WITHIN = Duration.ofSeconds(3);

  @TempDir Path home;

  @Test
  void whileOneInstanceSignsTheOtherMakesNoKeys() throws Exception {
    try (Site site = Site.create(home)) {
      bootstrap(site);
      try (KeywellProcess maker =
              start(site, "maker", Map.of("keywell.pool.specs.EC-P256.max-stored", "100000"));
          KeywellProcess signer = start(site, "signer", Map.of())) {
        maker.awaitReady();
        HttpApi http = signer.awaitReady();
        Await.until("there are keys for the signer", () -> made(site) > 500);
        long whileIdle = madeWithin(site, WHILE);

        PatientCallers callers = PatientCallers.start(http, SPEC, 2, Duration.ZERO);
        callers.awaitSigned(50, LIMIT);
        Thread.sleep(1_500);
        long whileSigning = madeWithin(site, WHILE);
        callers.stop();
        long ended = System.nanoTime();
        long before = made(site);
        Await.until("the maker goes on", () -> made(site) > before);
        Duration after = Duration.ofNanos(System.nanoTime() - ended);

        System.out.printf(
            "in %d s the maker makes %d keys while nobody signs, %d while the other does (%s); it"
                + " goes on %d ms after the end%n",
            WHILE.toSeconds(), whileIdle, whileSigning, callers, after.toMillis());
        assertThat(whileSigning).isLessThan(whileIdle / 10);
        assertThat(after).isLessThan(GOES_ON_WITHIN);
        assertThat(maker.log() + signer.log()).doesNotContain("keywell-idleness");
      }
    }
  }

  private static long madeWithin(Site site, Duration time) throws Exception {
    long before = made(site);
    Thread.sleep(time);
    return made(site) - before;
  }

  private static long made(Site site) throws SQLException {
    return site.sql()
        .count(
            """
            SELECT coalesce(sum(keys), 0) FROM key_ledger
            WHERE instance = 'maker' AND move = 'generated'
            """);
  }

  /** One process at a time may make what a token lacks. */
  private void bootstrap(Site site) throws Exception {
    try (KeywellProcess process =
        KeywellProcess.start(site.settings(), home.resolve("bootstrap.log"), "bootstrap")) {
      assertThat(process.awaitExit()).as(process.log()).isZero();
    }
  }

  private KeywellProcess start(Site site, String name, Map<String, String> more) throws Exception {
    return KeywellProcess.start(
        site.settings(Settings.pool(SPEC, 60), Map.of("keywell.instance", name), more),
        home.resolve(name + ".log"),
        "serve");
  }
}
