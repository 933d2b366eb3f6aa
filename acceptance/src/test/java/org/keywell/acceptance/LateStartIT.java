package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Relay;
import org.keywell.acceptance.running.Site;
import org.keywell.testkit.Await;
import org.keywell.testkit.Fault;
import org.keywell.testkit.FaultyModule;
import org.keywell.testkit.FreePort;
import org.keywell.testkit.SoftHsm2;

/** After a reboot the database or the HSM may come later than the service. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class LateStartIT {

  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final long CKR_USER_PIN_NOT_INITIALIZED = 0x102;

  private static final String WAITING = "keywell.start-patience";

  @TempDir Path home;
  private Site site;

  @BeforeEach
  void create() {
    site = Site.create(home);
  }

  @AfterEach
  void close() {
    site.close();
  }

  @Test
  void aDatabaseThatComesLateIsWaitedFor() throws Exception {
    int port = FreePort.find();
    try (KeywellProcess keywell = serve(databaseAt(port))) {
      awaitWaiting(keywell);
      assertThat(keywell.log())
          .contains("jdbc:postgresql://127.0.0.1:" + port, "cannot be reached", "refused")
          .doesNotContain("Exception:", "password");
      try (Relay relay = Relay.start(port, database())) {
        assertThat(relay.port()).isEqualTo(port);
        keywell.awaitReady();
        keywell.terminate();
        assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(143);
      }
    }
  }

  /** SoftHSM without its configuration cannot be initialised, as a device that is not there. */
  @Test
  void anHsmThatComesLateIsWaitedFor() throws Exception {
    Path real = SoftHsm2.configuration();
    Path late = home.resolve("late.conf");
    try (KeywellProcess keywell = serve(Map.of("softhsm2.conf", late.toString()))) {
      awaitWaiting(keywell);
      assertThat(keywell.log()).contains("the HSM cannot be reached", "C_Initialize");
      Files.copy(real, late);
      keywell.awaitReady();
    }
  }

  /** The last one is called to store the CA's keys: then the start begins again. */
  @Test
  void aDeviceThatFailsDuringTheStartEndsNoStart() throws Exception {
    List<String> functions =
        List.of(
            "C_Initialize",
            "C_GetTokenInfo",
            "C_OpenSession",
            "C_FindObjectsInit",
            "C_FindObjects",
            "C_GetAttributeValue",
            "C_GenerateKeyPair",
            "C_WrapKey",
            "C_UnwrapKey",
            "C_SignInit",
            "C_Sign",
            "C_DestroyObject",
            "C_CopyObject");
    try (FaultyModule module = FaultyModule.create(home.resolve("faulty"));
        Site faulty = Site.create(home, module.path())) {
      functions.forEach(
          function -> module.inject(function, Fault.returning(CKR_DEVICE_ERROR).times(1)));
      // SoftHSM's, of a token whose file another process is writing.
      module.inject("C_Login", Fault.returning(CKR_USER_PIN_NOT_INITIALIZED).times(1));
      try (KeywellProcess keywell =
          KeywellProcess.start(
              faulty.settings(Map.of("keywell.start-patience", "10m")),
              home.resolve("faulty.log"),
              "serve")) {
        keywell.awaitReady();
        assertThat(functions).allMatch(function -> module.faults(function) == 1);
        assertThat(module.faults("C_Login")).isEqualTo(1);
        assertThat(keywell.log())
            .contains("the start failed and is repeated for up to")
            .doesNotContain("Exception:");
      }
    }
  }

  @Test
  void whenTheTimeIsOverTheExitCodeSaysThatAnotherStartMaySucceed() throws Exception {
    try (KeywellProcess keywell =
        serve(databaseAt(FreePort.find(), "keywell.start-patience", "0"))) {
      assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(4);
      assertThat(keywell.log().strip())
          .doesNotContain("Exception:")
          .containsPattern(
              "(?m)^keywell: the database jdbc:postgresql://.* cannot be reached: .*refused$");
    }
  }

  @Test
  void aSignalEndsTheWaitAtOnce() throws Exception {
    try (KeywellProcess keywell = serve(databaseAt(FreePort.find()))) {
      awaitWaiting(keywell);
      long began = System.nanoTime();
      keywell.terminate();
      assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(143);
      assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
    }
  }

  private URI database() {
    return URI.create(site.database().url().substring("jdbc:".length()));
  }

  private Map<String, String> databaseAt(int port) {
    return databaseAt(port, "keywell.start-patience", "60s");
  }

  private Map<String, String> databaseAt(int port, String setting, String value) {
    String url = "jdbc:postgresql://127.0.0.1:" + port + database().getPath();
    return Map.of("keywell.database.url", url, setting, value);
  }

  private KeywellProcess serve(Map<String, String> more) throws IOException {
    return KeywellProcess.start(site.settings(more), home.resolve("serve.log"), "serve");
  }

  private static void awaitWaiting(KeywellProcess keywell) throws Exception {
    Await.until("it waits", () -> !keywell.isAlive() || keywell.log().contains(WAITING));
    assertThat(keywell.isAlive()).as(keywell.log()).isTrue();
  }
}
