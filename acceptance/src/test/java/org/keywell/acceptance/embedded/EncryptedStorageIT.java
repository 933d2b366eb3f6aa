package org.keywell.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.loadgen.cli.LoadCommand;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.testkit.PostgresForTests.Database;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./keywell load storage}: real file systems, PostgreSQL and pgbench, and the service. */
@Tag("lint")
@Timeout(280)
final class EncryptedStorageIT {

  private static final int CANNOT_RUN_HERE = 2;

  @TempDir Path home;

  /** The launcher puts PostgreSQL's programs on the PATH. */
  private ServiceProgram service() {
    ServiceProgram program =
        KeywellProcess.standaloneProgram(
            Settings.of(SoftHsmToken.create(), new Database("embedded", "", ""), home, Map.of()),
            home);
    Map<String, String> environment = new HashMap<>(program.environment());
    String postgresql = System.getenv().getOrDefault("KEYWELL_TEST_POSTGRESQL", "/nonexistent");
    environment.merge("PATH", postgresql, "%s:%s"::formatted);
    return new ServiceProgram(program.command(), environment, program.logs(), program.told());
  }

  @Test
  void bothDatabasesAreMeasuredAndTheKeyIsTakenAway() throws Exception {
    ServiceProgram service = service();
    StringWriter told = new StringWriter();
    PrintWriter out = new PrintWriter(told, true);

    int code =
        LoadCommand.commandLine(() -> service)
            .setOut(out)
            .setErr(out)
            .execute(
                "storage",
                "--time=1",
                "--rounds=1",
                "--scale=1",
                "--out=" + home.resolve("report"));

    assumeFalse(code == CANNOT_RUN_HERE, told::toString);
    assertThat(code).as(told.toString()).isZero();
    JsonNode figures =
        JsonMapper.shared().readTree(home.resolve("report/storage.json").toFile()).path("figures");
    for (String server : List.of("local", "xks")) {
      JsonNode result = figures.path("rounds").path(0).path(server);
      assertThat(result.path("transactions").asLong()).isPositive();
      assertThat(result.path("failed").asLong()).isZero();
      assertThat(result.path("statements")).hasSize(11);
      assertThat(figures.path(server + "Starts")).hasSize(8);
    }
    assertThat(figures.path("promises").valueStream().map(one -> one.path("seen").asString()))
        .satisfiesExactly(
            seen -> assertThat(seen).contains("none failed"),
            seen -> assertThat(seen).contains("InvalidStateException", "locked"),
            seen -> assertThat(seen).startsWith("started in"),
            seen -> assertThat(seen).contains("none failed"),
            seen -> assertThat(seen).contains("unreachable", "locked"));
    assertThat(home.resolve("report/report.html")).isNotEmptyFile();
    assertThat(home.resolve("report/storage.csv")).isNotEmptyFile();
    assertThat(told.toString()).contains("2,818", "0.926");

    assertThat(home.resolve("storage")).doesNotExist();
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(home.toString());
    try (Stream<Path> left = Files.list(home.resolve("logs"))) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("storage.log", "storage-local.log", "storage-xks.log");
    }
  }
}
