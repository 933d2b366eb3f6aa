package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
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

/** An HSM or a database that fails for a while: during a start, or while a service runs. */
@Timeout(value = 4, unit = TimeUnit.MINUTES)
@Tag("fault")
final class StartFaultsIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final Duration FAULT = Duration.ofSeconds(5);
  private static final Duration AWAY = Duration.ofSeconds(70);
  private static final long PAUSE_MILLIS = 200;

  private final Path home;
  private final FaultyModule module;
  private final Site site;

  StartFaultsIT(@TempDir Path home) {
    this.home = home;
    this.module = FaultyModule.create(home.resolve("hsm"));
    this.site = Site.create(home, module.path());
  }

  @AfterEach
  void close() {
    site.close();
    module.close();
  }

  private KeywellProcess start(String... command) throws Exception {
    return KeywellProcess.start(
        site.settings(
            Settings.pool(SPEC, 5),
            Map.of(
                "keywell.pool.specs." + SPEC.label() + ".max-stored",
                "200",
                "keywell.start-patience",
                "2m")),
        home.resolve(command[0] + ".log"),
        command);
  }

  /**
   * 0x30 is CKR_DEVICE_ERROR, 0x31 CKR_DEVICE_MEMORY, 0x32 CKR_DEVICE_REMOVED, 0xB3 a lost session.
   */
  @ParameterizedTest
  @CsvSource({
    "C_Initialize, 0x30",
    "C_GetSlotList, 0x30",
    "C_GetTokenInfo, 0x32",
    "C_OpenSession, 0x31",
    "C_Login, 0x30",
    "C_FindObjectsInit, 0xB3",
    "C_FindObjectsInit, 0x30",
    "C_FindObjects, 0x30",
    "C_FindObjectsFinal, 0x30",
    "C_GetAttributeValue, 0x30",
    "C_GetAttributeValue, 0xB3",
    "C_GenerateKeyPair, 0x30",
    "C_GenerateKeyPair, 0x32",
    "C_CreateObject, 0x30",
    "C_CopyObject, 0x30",
    "C_DestroyObject, 0x30",
    "C_WrapKey, 0x30",
    "C_UnwrapKey, 0x30",
    "C_SignInit, 0x30",
    "C_Sign, 0xB3",
    "C_CloseSession, 0x30",
  })
  void aFunctionThatFailsForAWhileEndsNoStart(String function, String code) throws Exception {
    module.inject(function, Fault.returning(Long.decode(code)));
    try (KeywellProcess keywell = start("serve")) {
      Await.until(
          function + " has failed", () -> module.faults(function) > 0 || !keywell.isAlive());
      Thread.sleep(FAULT);
      module.clear(function);

      HttpApi http = keywell.awaitReady();
      Await.until("it signs", () -> http.sign(document()).status() == 200);
      assertThat(keywell.log()).doesNotContain("Exception:");
    }
  }

  private static SignBody document() {
    return SignBody.of("document").keySpec(SPEC);
  }

  /** As a failover, or an operator who ends all connections, and again while they come back. */
  @Test
  void connectionsThatPostgresEndsDuringTheStartAreMadeAgain() throws Exception {
    try (KeywellProcess keywell = start("serve")) {
      long ended = 0;
      long until = System.nanoTime() + FAULT.multipliedBy(2).toNanos();
      while (System.nanoTime() < until || ended == 0) {
        ended += endConnections();
        assertThat(keywell.isAlive()).as(keywell.log()).isTrue();
        Thread.sleep(PAUSE_MILLIS);
      }
      HttpApi http = keywell.awaitReady();
      Await.until("it signs", () -> http.sign(document()).status() == 200);
    }
  }

  private long endConnections() throws SQLException {
    Sql sql = site.sql();
    return sql.count(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            + " WHERE datname = current_database() AND usename <> current_user");
  }

  /** Only C_Finalize makes SoftHSM look for the token's files again. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aTokenThatWasAwayForAMinuteIsFoundAgain(boolean whileTheServiceStarts) throws Exception {
    Path tokens = home.resolve("hsm/tokens");
    Path away = home.resolve("hsm/away");
    try (KeywellProcess first = start("serve")) {
      HttpApi http = first.awaitReady();
      Await.until("it signs", () -> http.sign(document()).status() == 200);
      if (whileTheServiceStarts) {
        first.terminate();
        first.awaitExit();
      }
      Files.move(tokens, away);
      // Another process that uses the token meanwhile.
      try (KeywellProcess other = start(whileTheServiceStarts ? "serve" : "check")) {
        Thread.sleep(AWAY);
        assertThat(first.log()).doesNotContain("works again");
        Files.move(away, tokens);
        KeywellProcess service = whileTheServiceStarts ? other : first;
        HttpApi back = service.awaitReady();
        Await.until("it signs again", () -> back.sign(document()).status() == 200);
      }
    }
  }
}
