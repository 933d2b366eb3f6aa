package org.keywell.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.loadgen.cli.LoadCommand;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.testkit.PostgresForTests.Database;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./keywell load messages} with a real broker. */
@Tag("experiment")
final class ProtectedMessagesIT {

  @TempDir Path home;

  @Test
  void everyQualityIsMeasuredAndTheBrokerEnds() throws Exception {
    StringWriter told = new StringWriter();
    PrintWriter out = new PrintWriter(told, true);

    int code =
        LoadCommand.commandLine()
            .setOut(out)
            .setErr(out)
            .execute(
                "messages",
                "--seconds=1",
                "--warm-up=0",
                "--rounds=1",
                "--clients=2",
                "--queues=ten,dedicated",
                "--data=" + home,
                "--out=" + home.resolve("report"));

    assertThat(code).as(told.toString()).isZero();
    JsonNode rows =
        JsonMapper.shared().readTree(home.resolve("report/messages.json").toFile()).path("rows");
    assertThat(rows).hasSize(12);
    for (JsonNode row : rows) {
      JsonNode trial = row.path("rounds").path(0);
      assertThat(trial.path("roundTrips").asLong()).as(row.toString()).isPositive();
      assertThat(trial.path("clientSeconds").asDouble()).as(row.toString()).isPositive();
    }
    assertThat(home.resolve("report/report.html")).isNotEmptyFile();
    assertThat(home.resolve("report/messages.csv")).isNotEmptyFile();
    assertThat(home.resolve("report/fresh.csv")).doesNotExist();
    assertThat(home.resolve("report/messages.json")).content().doesNotContain("fresh");
    assertThat(told.toString()).contains("more than 20", "0.94");

    Matcher port = Pattern.compile("Broker +127.0.0.1:(\\d+), ActiveMQ").matcher(told.toString());
    assertThat(port.find()).as(told.toString()).isTrue();
    assertThat(listens(Integer.parseInt(port.group(1)))).isFalse();
    try (Stream<Path> left = Files.list(home.resolve("logs"))) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactly("messages-broker.log");
    }
  }

  @Test
  void aFreshKeyForEachMessageIsMeasured() throws Exception {
    ServiceProgram service =
        KeywellProcess.standaloneProgram(
            Settings.of(SoftHsmToken.create(), new Database("embedded", "", ""), home, Map.of()),
            home);
    StringWriter told = new StringWriter();
    PrintWriter out = new PrintWriter(told, true);

    int code =
        LoadCommand.commandLine(() -> service)
            .setOut(out)
            .setErr(out)
            .execute(
                "messages",
                "--seconds=3",
                "--warm-up=0",
                "--rounds=1",
                "--clients=2",
                "--queues=ten",
                "--qualities=integrity",
                "--fresh=12",
                "--key-spec=EC-P256",
                "--data=" + home,
                "--out=" + home.resolve("report"));

    assertThat(code).as(told.toString()).isZero();
    JsonNode rows =
        JsonMapper.shared()
            .readTree(home.resolve("report/messages.json").toFile())
            .path("fresh")
            .path("rows");
    List<String> keys = new ArrayList<>();
    for (JsonNode row : rows) {
      keys.add(row.path("keys").asString());
      JsonNode trial = row.path("rounds").path(0);
      boolean kept = keys.getLast().equals("kept");
      assertThat(trial.path("exchange").path("roundTrips").asLong())
          .as(row.toString())
          .isBetween(2L, kept ? Long.MAX_VALUE : 12L);
      assertThat(trial.path("serviceSeconds").asDouble())
          .as(row.toString())
          .isGreaterThanOrEqualTo(kept ? 0 : 0.01);
    }
    assertThat(keys).containsExactly("kept", "pooled", "on-the-fly");
    assertThat(home.resolve("report/fresh.csv")).isNotEmptyFile();
    assertThat(told.toString()).contains("kept/pooled", "pooled/on-the-fly");
    try (Stream<Path> left = Files.list(home.resolve("logs"))) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "messages-broker.log", "messages-pooled.log", "messages-on-the-fly.log");
    }
  }

  private static boolean listens(int port) {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
