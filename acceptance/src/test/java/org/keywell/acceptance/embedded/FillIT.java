package org.keywell.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.PostgresProcesses;
import tools.jackson.databind.JsonNode;

/** {@code fill N} leaves exactly N keys in the store, with a service beside it or without. */
@Tag("fault")
final class FillIT {

  private static final Database EMBEDDED = new Database("embedded", "", "");

  @TempDir Path home;

  @Test
  void fillsExactlyWithoutAServiceAndBesideOne() throws Exception {
    SoftHsmToken token = SoftHsmToken.create();
    Map<String, String> settings =
        new LinkedHashMap<>(Settings.of(token, EMBEDDED, home, Settings.pool(KeySpec.EC_P256, 5)));

    String alone = fill(settings, "20");
    assertThat(alone).contains("20 EC-P256 keys are stored; 20 made in").contains("0/20 EC-P256");
    assertThat(fill(settings, "20")).contains("20 EC-P256 keys are stored; 0 made in");
    assertThat(home.resolve("postgres/postmaster.pid")).doesNotExist();

    try (KeywellProcess keywell =
        KeywellProcess.startStandalone(settings, home.resolve("serve.log"), "serve")) {
      HttpApi http = keywell.awaitReady();
      PostgresProcesses postgres = PostgresProcesses.of(home);
      awaitPool(http, 15, 5);
      assertThat(http.get("/pool").body().has("simulatedProfile"))
          .as("times are the HSM's own")
          .isFalse();

      assertThat(fill(settings, "40")).contains("40 EC-P256 keys are stored; 25 made in");

      awaitPool(http, 40, 5);
      assertThat(postgres.areAlive()).as("the database of the service").isTrue();
      JsonNode answer = http.sign(SignBody.of("document").keySpec(KeySpec.EC_P256)).body();
      assertThat(answer.path("preGeneratedKeyPair").asBoolean()).isTrue();
      keywell.terminate();
      assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
      postgres.awaitEnd();
    }
    assertThat(fill(settings, "45")).contains("45 EC-P256 keys are stored; 1 made in");
  }

  /** A key takes long enough for the signal to come while the module makes one. */
  @Test
  void aSignalEndsItInOrder() throws Exception {
    SoftHsmToken token = SoftHsmToken.create();
    Map<String, String> settings =
        new LinkedHashMap<>(Settings.of(token, EMBEDDED, home, Settings.pool(KeySpec.RSA_4096, 5)));
    Path log = home.resolve("fill.log");
    try (KeywellProcess process =
        KeywellProcess.startStandalone(settings, log, "fill", "1000", "--key-spec", "RSA-4096")) {
      Await.until("the fill has begun", () -> process.log().contains("/1000 RSA-4096"));
      process.terminate();
      assertThat(process.awaitExit()).as(process.log()).isEqualTo(143);
      assertThat(process.log())
          .containsPattern("stopped; \\d+ RSA-4096 keys were made and are stored")
          .doesNotContain("SIGSEGV", "Exception", "|-WARN");
    }
    assertThat(home.resolve("postgres/postmaster.pid")).doesNotExist();
  }

  /** It held places for keys that it was making, and no instance is there to release them. */
  @Test
  void aKilledOneDoesNotKeepTheNextFromItsGoal() throws Exception {
    SoftHsmToken token = SoftHsmToken.create();
    Map<String, String> settings =
        new LinkedHashMap<>(Settings.of(token, EMBEDDED, home, Settings.pool(KeySpec.EC_P256, 5)));
    Path log = home.resolve("fill.log");
    try (KeywellProcess process =
        KeywellProcess.startStandalone(settings, log, "fill", "100000", "--key-spec", "EC-P256")) {
      Await.until(
          "keys are made",
          () ->
              process
                  .log()
                  .lines()
                  .anyMatch(line -> line.matches(".* [1-9]\\d*/100000 EC-P256.*")));
      process.kill();
      assertThat(process.awaitExit()).isEqualTo(137);
    }
    long stored =
        Long.parseLong(fill(settings, "1").replaceFirst("(?s).*?(\\d+) EC-P256 keys.*", "$1"));

    assertThat(fill(settings, Long.toString(stored + 1)))
        .contains("%d EC-P256 keys are stored; 1 made in".formatted(stored + 1));
  }

  private String fill(Map<String, String> settings, String count) throws Exception {
    Path log = Files.createTempFile(home, "fill", ".log");
    try (KeywellProcess process =
        KeywellProcess.startStandalone(settings, log, "fill", count, "--key-spec", "EC-P256")) {
      assertThat(process.awaitExit()).as(process.log()).isZero();
      return process.log();
    }
  }

  private static void awaitPool(HttpApi http, int stored, int loaded) throws Exception {
    String expected =
        "\"keySpec\":\"EC-P256\",\"stored\":%d,\"loaded\":%d,".formatted(stored, loaded);
    Await.until(
        expected, () -> http.get("/pool").body().path("pools").toString().contains(expected));
  }
}
