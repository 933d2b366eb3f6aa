package org.keywell.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.ForeignProgram;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.loadgen.cli.LoadCommand;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.testkit.PostgresForTests.Database;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./keywell load speed} against the real service. */
final class KmipSpeedIT {

  private static final Database EMBEDDED = new Database("embedded", "", "");

  @TempDir Path home;
  private final StringWriter out = new StringWriter();

  private int speed(String... more) {
    ServiceProgram service =
        KeywellProcess.standaloneProgram(
            Settings.of(SoftHsmToken.create(), EMBEDDED, home, Map.of()), home);
    PrintWriter writer = new PrintWriter(out, true);
    return LoadCommand.commandLine(() -> service)
        .setOut(writer)
        .setErr(writer)
        .execute(
            Stream.concat(
                    Stream.of(
                        "speed",
                        "--seconds=1",
                        "--warm-up=0",
                        "--clients=1",
                        "--pairs=3",
                        "--out=" + home.resolve("report")),
                    Stream.of(more))
                .toArray(String[]::new));
  }

  private JsonNode report() {
    return JsonMapper.shared().readTree(home.resolve("report/speed.json").toFile());
  }

  @Test
  @Tag("experiment")
  void everyOperationIsMeasured() throws Exception {
    assertThat(speed()).as(out.toString()).isZero();

    List<String> operations = new ArrayList<>();
    for (JsonNode row : report().path("rows")) {
      operations.add(row.path("operation").asString());
      boolean pooled = operations.getLast().equals("RSA_FROM_POOL");
      for (String connections : List.of("fresh", "kept")) {
        JsonNode trial = row.path(connections);
        assertThat(trial.path("operations").asLong()).isPositive();
        assertThat(trial.path("usedUp").asBoolean()).isEqualTo(pooled);
        if (pooled) {
          assertThat(trial.path("operations").asLong()).isEqualTo(3);
        }
      }
    }
    assertThat(operations)
        .containsExactly(
            "GET", "WRAP", "CREATE_AES", "CREATE_EC", "RSA_FROM_POOL", "RSA_WITHOUT_POOL");
    assertThat(home.resolve("report/report.html")).isNotEmptyFile();
    assertThat(home.resolve("report/speed.csv")).isNotEmptyFile();
    assertThat(out.toString())
        .contains("8,520", "3 in ", "until it was empty", "--pykmip names", "--quota gives");
    try (Stream<Path> left = Files.list(home.resolve("logs"))) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("speed.log", "speed-without-pool.log");
    }
  }

  @Test
  @Tag("lint")
  void pyKmipAndTwoServersAreMeasuredToo() throws Exception {
    assertThat(speed("--pykmip=" + ForeignProgram.find("python"), "--quota=50"))
        .as(out.toString())
        .isZero();

    Map<String, List<String>> operations = new HashMap<>();
    for (JsonNode row : report().path("rows")) {
      operations
          .computeIfAbsent(row.path("system").asString(), _ -> new ArrayList<>())
          .add(row.path("operation").asString());
    }
    assertThat(operations.get("PYKMIP"))
        .containsExactly("GET", "WRAP", "CREATE_AES", "RSA_WITHOUT_POOL");
    // Where no control group can be made, the report says so.
    if (report().path("without").path("ONE_SERVER").isMissingNode()) {
      List<String> both = List.of("GET", "WRAP", "CREATE_AES", "CREATE_EC", "RSA_WITHOUT_POOL");
      assertThat(operations).containsEntry("ONE_SERVER", both).containsEntry("TWO_SERVERS", both);
    }
  }
}
