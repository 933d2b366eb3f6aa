package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.cli.KeywellCommand;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.SignatureScheme;
import org.keywell.testkit.Await;
import org.keywell.testkit.PostgresForTests;

/** A database is restored from before a revocation and the end of an XKS key. */
@Tag("softhsm")
@Tag("postgresql")
@Tag("fault")
@Timeout(300)
final class ReapplyIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final String KEY = "volumes";

  @TempDir private Path home;
  private Site site;
  private int runs;

  @BeforeEach
  void create() throws Exception {
    site = Site.create(home);
    site.stock(SPEC, 30);
  }

  @AfterEach
  void close() {
    site.close();
  }

  private KeywellProcess start(boolean accepted, String... command) throws Exception {
    Map<String, String> all = new HashMap<>(Settings.pool(SPEC, 5));
    all.put("keywell.log.origin", "sign.example.org/log");
    all.put("keywell.ca.crl.uri", "http://crl.example.org/ca/crl/");
    all.put("keywell.ca.profile.crls-by-day", "true");
    if (accepted) {
      all.put("keywell.database.accept-restored", "true");
    }
    return KeywellProcess.start(
        site.settings(all), home.resolve("run-" + runs++ + ".log"), command);
  }

  private String run(String... command) throws Exception {
    try (KeywellProcess process = start(false, command)) {
      assertThat(process.awaitExit()).as(process.log()).isZero();
      return process.log();
    }
  }

  private static void end(KeywellProcess service) throws Exception {
    service.terminate();
    assertThat(service.awaitExit()).as(service.log()).isIn(0, 143);
  }

  private long revocations() throws Exception {
    return site.sql().count("SELECT count(*) FROM revoked_certificate");
  }

  @Test
  void whatABackupUndoesIsPutBackFromACopyOfTheLog() throws Exception {
    Path copy = home.resolve("copy");
    PostgresForTests.Database dump;
    try (KeywellProcess service = start(false, "serve")) {
      HttpApi http = service.awaitReady();
      UUID request = UUID.randomUUID();
      SignBody body =
          SignBody.of("a contract").requestId(request).keySpec(SPEC).scheme(SignatureScheme.ECDSA);
      Await.until("it signs", () -> http.sign(body).status() == 200);
      run("xks", "create-key", KEY);
      dump = PostgresForTests.copy(site.database());

      Await.until("the database is back", () -> revoked(http, request));
      run("xks", "disable", KEY);
      long size = site.sql().count("SELECT count(*) FROM log_entry");
      Await.until(
          "both are in the signed log",
          () ->
              site.sql().count("SELECT count(*) FROM log_pending") == 0
                  && site.sql().count("SELECT checkpoint_size - size FROM log_tree") == 0
                  && site.sql().count("SELECT count(*) FROM log_entry") >= size);
      assertThat(
              KeywellCommand.commandLine()
                  .execute("log", "export", copy.toString(), http.base().toString()))
          .isZero();
      end(service);
    }
    PostgresForTests.restore(site.database(), dump);
    assertThat(revocations()).isZero();

    assertThat(run("log-reapply", "--from", copy.toString()))
        .contains("Lost       revocation of ", "Lost       xks disable " + KEY)
        .contains("2 to put back; nothing was changed");
    assertThat(revocations()).isZero();
    assertThat(run("log-reapply", "--from", copy.toString(), "--apply")).contains("2 put back");
    assertThat(run("log-reapply", "--from", copy.toString(), "--apply"))
        .contains("nothing to put back");

    assertThat(revocations()).isEqualTo(1);
    assertThat(site.sql().text("SELECT state FROM xks_key")).isEqualTo("disabled");
    try (KeywellProcess service = start(true, "serve")) {
      HttpApi _ = service.awaitReady();
      Await.until(
          "the next list has it",
          () -> site.sql().count("SELECT count(*) FROM published_list WHERE revocations = 1") == 1);
      end(service);
    }
  }

  private static boolean revoked(HttpApi http, UUID request) throws Exception {
    return http.post(
                "/ca/revocations",
                "application/json",
                HttpRequest.BodyPublishers.ofString(
                    "{\"requestId\": \"%s\", \"reason\": \"keyCompromise\"}".formatted(request)))
            .status()
        == 200;
  }
}
