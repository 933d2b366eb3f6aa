package org.keywell.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.SignBody;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.standalone.HomeLock;
import org.keywell.testkit.PostgresForTests.Database;
import org.keywell.testkit.PostgresProcesses;

/**
 * The embedded database outlives a crash of the service, ends with an orderly stop, and takes the
 * service with it if it crashes itself.
 */
@Tag("fault")
final class EmbeddedIT {

  private static final Database EMBEDDED = new Database("embedded", "", "");

  @TempDir Path home;
  @TempDir Path temporary;

  @Test
  void theDatabaseEndsWithItsServiceHoweverThatEnds() throws Exception {
    SoftHsmToken token = SoftHsmToken.create();
    Map<String, String> settings =
        Settings.of(
            token,
            EMBEDDED,
            home,
            Map.of(
                "keywell.pool.specs.EC-P256.max-stored", "0",
                "keywell.pool.when-empty", "generate"));
    SignBody body = SignBody.of("document").keySpec(KeySpec.EC_P256).requestId(UUID.randomUUID());
    HttpApi.Answer answer;
    PostgresProcesses first;
    try (KeywellProcess keywell = serve(settings, "first.log")) {
      HttpApi http = keywell.awaitReady();
      answer = http.sign(body);
      assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
      first = PostgresProcesses.of(home);
      keywell.kill();
    }
    first.awaitEnd();
    assertThat(home.resolve("postgres/postmaster.pid")).doesNotExist();
    assertThat(temporary.toFile().list((_, name) -> name.startsWith("tomcat"))).isEmpty();

    PostgresProcesses second;
    try (KeywellProcess keywell = serve(settings, "second.log")) {
      HttpApi http = keywell.awaitReady();
      second = PostgresProcesses.of(home);
      assertThat(second.postmaster()).isNotEqualTo(first.postmaster());
      assertThat(http.sign(body).body()).as("kept").isEqualTo(answer.body());
      keywell.terminate();
      assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
    }
    second.awaitEnd();
    assertThat(home.resolve("postgres/postmaster.pid")).doesNotExist();

    try (KeywellProcess keywell = serve(settings, "third.log")) {
      HttpApi http = keywell.awaitReady();
      PostgresProcesses third = PostgresProcesses.of(home);
      assertThat(third.postmaster()).isNotEqualTo(first.postmaster());
      assertThat(http.sign(body).body()).as("kept").isEqualTo(answer.body());
      assertPrivate();
      third.killPostmaster();
      assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(75);
      assertThat(keywell.log()).contains("the embedded PostgreSQL (process ");
      third.awaitEnd();
    }

    try (KeywellProcess keywell = serve(settings, "fourth.log")) {
      HttpApi http = keywell.awaitReady();
      assertThat(http.sign(body).body()).as("kept").isEqualTo(answer.body());
      keywell.terminate();
      assertThat(keywell.awaitExit()).as(keywell.log()).isIn(0, 143);
    }
  }

  @Test
  void aDataDirectoryThatIsTakenIsRefusedInOneLine() throws Exception {
    try (HomeLock _ = HomeLock.tryAcquire(home).orElseThrow();
        KeywellProcess keywell =
            serve(Settings.of(SoftHsmToken.create(), EMBEDDED, home, Map.of()), "refused.log")) {
      assertThat(keywell.awaitExit()).as(keywell.log()).isEqualTo(2);
      assertThat(keywell.log().strip())
          .isEqualTo(
              "keywell: process %d uses the data directory %s already"
                  .formatted(ProcessHandle.current().pid(), home));
    }
  }

  private KeywellProcess serve(Map<String, String> settings, String log) throws Exception {
    return KeywellProcess.startStandalone(
        List.of("-Djava.io.tmpdir=" + temporary), settings, home.resolve(log), "serve");
  }

  private void assertPrivate() throws Exception {
    for (String directory : List.of("postgres", "postgres-binaries")) {
      assertThat(
              PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(directory))))
          .as(directory)
          .isEqualTo("rwx------");
    }
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(home.resolve("postgres.password"))))
        .isEqualTo("rw-------");
  }
}
