package org.keywell.acceptance.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.Settings;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.loadgen.cli.LoadCommand;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.testkit.PostgresForTests.Database;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code ./keywell load tls}: the real s_time against the real service and the real s_server. */
@Tag("experiment")
final class TlsWorkloadIT {

  private static final Database EMBEDDED = new Database("embedded", "", "");

  @TempDir Path home;
  private final StringWriter out = new StringWriter();

  private Map<String, String> settings(Map<String, String> more) {
    return Settings.of(SoftHsmToken.create(), EMBEDDED, home, more);
  }

  private int load(String... more) {
    ServiceProgram service = KeywellProcess.standaloneProgram(settings(Map.of()), home);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "tls",
                "--time=1",
                "--rounds=1",
                "--warm-up=1",
                "--sizes=1k",
                "--suites=TLS_CHACHA20_POLY1305_SHA256",
                "--out=" + home.resolve("report")));
    arguments.addAll(List.of(more));
    PrintWriter writer = new PrintWriter(out, true);
    return LoadCommand.commandLine(() -> service)
        .setOut(writer)
        .setErr(writer)
        .execute(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--ec", "--mutual"})
  void bothServersAreMeasured(String option) throws Exception {
    assertThat(load(option)).as(out.toString()).isZero();

    JsonNode run = JsonMapper.shared().readTree(home.resolve("report/tls.json").toFile());
    assertThat(run.path("plan").path("mutual").asBoolean()).isEqualTo(option.equals("--mutual"));
    JsonNode scenario = run.path("scenarios").path(0);
    assertThat(scenario.path("ScenarioName").asString())
        .isEqualTo("tls_client_chacha20-poly1305-sha256-1k");
    assertThat(scenario.path("sServer").path("BytesReadPerConnection").asInt()).isEqualTo(1_068);
    for (String server : List.of("service", "sServer")) {
      for (String prefix : List.of("", "Reuse")) {
        JsonNode metrics = scenario.path(server);
        long connections = metrics.path(prefix + "NumberOfConnections").asLong();
        assertThat(connections).isPositive();
        assertThat(metrics.path(prefix + "TotalBytesRead").asLong())
            .isEqualTo(connections * metrics.path(prefix + "BytesReadPerConnection").asLong());
        assertThat(metrics.path(prefix + "Duration").asDouble()).isBetween(0.9, 3.0);
      }
    }
    assertThat(home.resolve("report/report.html")).isNotEmptyFile();
    assertThat(home.resolve("report/metrics.csv")).isNotEmptyFile();
    assertThat(out.toString()).contains("428.710", "1.69");
    try (Stream<Path> left = Files.list(home.resolve("logs"))) {
      assertThat(left.map(file -> file.getFileName().toString())).containsExactly("tls.log");
    }
  }

  @Test
  void onlyTestFilesAreServed() throws Exception {
    Path files = Files.createDirectory(home.resolve("files"));
    Files.writeString(files.resolve("test_1k.html"), "a file");
    Files.writeString(files.resolve("server.key"), "a secret");
    Files.createSymbolicLink(files.resolve("test_2k.html"), files.resolve("server.key"));
    try (KeywellProcess keywell =
        KeywellProcess.startStandalone(
            settings(Map.of("keywell.trial-files", files.toString())),
            home.resolve("serve.log"),
            "serve")) {
      HttpApi http = keywell.awaitReady();
      assertThat(http.text("/trial-files/test_1k.html")).isEqualTo("a file");
      for (String path :
          List.of("server.key", "test_2k.html", "test_3k.html", "..%2Fpin", "test_1k.html/", "")) {
        assertThat(http.get("/trial-files/" + path).status()).as(path).isBetween(400, 404);
      }
      assertThat(keywell.log()).contains("keywell.trial-files is set");
    }
  }
}
