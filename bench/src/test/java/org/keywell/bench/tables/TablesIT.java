package org.keywell.bench.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.testkit.RandomPin;
import org.keywell.testkit.SoftHsm2;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The program in a process of its own, on SoftHSM and a real PostgreSQL. */
@Timeout(1_200)
final class TablesIT {
  private static final String FAST_DEVICE =
      """
      name: fast
      source: nobody's
      lanes: 1
      unwrap-lanes: 1
      generation: 10ms..20ms
      wrapping: 3ms
      unwrapping: 2ms
      signing: 60ms
      """;

  @TempDir private Path folder = Path.of("");

  private Path work = Path.of("");
  private Path report = Path.of("");
  private Path log = Path.of("");

  @BeforeEach
  void makeFolders() throws IOException {
    work = Files.createDirectory(folder.resolve("work"));
    report = folder.resolve("report");
    log = folder.resolve("log");
  }

  @AfterEach
  void nothingIsLeftOfTheDatabase() throws IOException {
    try (Stream<Path> left = Files.list(work)) {
      assertThat(left).noneMatch(p -> p.getFileName().toString().startsWith("keywell-tables"));
    }
    assertThat(
            ProcessHandle.allProcesses()
                .filter(
                    p -> p.info().commandLine().orElse("").contains(work.toAbsolutePath() + "/")))
        .isEmpty();
  }

  private Process start(Map<String, String> settings, String... arguments) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "--enable-native-access=ALL-UNNAMED",
                            "-XX:+UseSerialGC",
                            "-Djava.io.tmpdir=" + work,
                            "-cp",
                            System.getProperty("java.class.path"),
                            "org.keywell.bench.cli.BenchProgram",
                            "tables",
                            "--out",
                            report.toString()),
                        Stream.of(arguments))
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(SoftHsm2.environment());
    builder.environment().putAll(settings);
    return builder.start();
  }

  private int run(Map<String, String> settings, String... arguments) throws Exception {
    Process process = start(settings, arguments);
    assertThat(process.waitFor(1_000, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /** A token as a user has one: made before, with its wrapping key, and not to be changed. */
  private Map<String, String> usersToken(SoftHsmToken token) {
    return Map.of(
        "KEYWELL_HSM_MODULE", token.config().module().toString(),
        "KEYWELL_HSM_TOKENLABEL", token.config().tokenLabel(),
        "KEYWELL_HSM_WRAPPINGKEYLABEL", token.config().wrappingKeyLabel(),
        "KEYWELL_HSM_PINFILE", token.writePinFile(folder).toString());
  }

  private JsonNode document() throws IOException {
    return JsonMapper.builder().build().readTree(Files.readAllBytes(report.resolve("tables.json")));
  }

  private static List<JsonNode> list(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).toList();
  }

  private void assertNoKeyIsLeft(JsonNode document) {
    JsonNode keys = document.get("keys");
    assertThat(keys.get("made").asLong()).isPositive();
    assertThat(keys.get("destroyed").asLong()).isEqualTo(keys.get("made").asLong());
    assertThat(keys.get("liveAfter").asLong()).isLessThanOrEqualTo(keys.get("liveBefore").asLong());
    assertThat(keys.get("storedAfter").asLong()).isZero();
  }

  /** All files of SoftHSM's tokens: an object that stays in a token is one of them. */
  private static List<String> tokenFiles() throws IOException {
    Path tokens = SoftHsm2.tokens();
    try (Stream<Path> files = Files.walk(tokens)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  @Test
  @Tag("experiment")
  void everyTableIsMeasuredAndAUsersTokenStaysAsItWas() throws Exception {
    SoftHsmToken token = SoftHsmToken.create();
    List<String> before = tokenFiles();

    int code = run(usersToken(token), "--profile", "none", "--scale", "0.01");

    assertThat(code).as(Files.readString(log)).isZero();
    JsonNode document = document();
    assertThat(document.get("simulatedProfile").isNull()).isTrue();
    assertThat(document.get("interrupted").asBoolean()).isFalse();
    assertThat(document.get("database").asString()).contains("fsync on", "synchronous_commit on");
    assertNoKeyIsLeft(document);
    assertThat(tokenFiles()).isEqualTo(before);
    List<JsonNode> tables = list(document.get("tables"));
    assertThat(tables)
        .extracting(table -> table.get("table").asString())
        .containsExactly("2-4", "2-5", "2-6", "2-7", "2-8/2-9", "2-10", "2-11");
    for (JsonNode table : tables) {
      for (JsonNode row : list(table.get("rows"))) {
        List<JsonNode> measurements = list(row.get("measurements"));
        assertThat(measurements).hasSize(1);
        assertThat(measurements.getFirst().get("device").asString()).isEqualTo("native");
        assertPlausible(measurements.getFirst());
      }
    }
    assertThat(Files.readString(log))
        .contains("Table 2-10: Signing with several threads", "none of them is left");
    try (Stream<Path> files = Files.list(report)) {
      assertThat(files.map(p -> p.getFileName().toString()))
          .contains("report.html", "table-2-8-2-9.csv", "table-2-11.csv");
    }
  }

  private static void assertPlausible(JsonNode measurement) {
    for (JsonNode timed : list(measurement.get("figures"))) {
      JsonNode figure = timed.get("figure");
      if (!timed.get("quantity").asString().equals("unwrap, meanwhile")) {
        assertThat(figure.get("count").asInt()).isEqualTo(measurement.get("planned").asInt());
      }
      assertThat(figure.get("meanMillis").asDouble()).isPositive();
      JsonNode spread = figure.get("spread");
      if (!spread.isNull()) {
        assertThat(spread.get("min").asDouble()).isPositive();
        assertThat(spread.get("p50").asDouble())
            .isBetween(spread.get("min").asDouble(), spread.get("max").asDouble());
        assertThat(figure.get("meanMillis").asDouble())
            .isBetween(spread.get("min").asDouble(), spread.get("max").asDouble());
      }
    }
  }

  @Test
  @Tag("experiment")
  void aSimulatedDeviceIsNeverFasterThanItsProfile() throws Exception {
    Path profile = Files.writeString(folder.resolve("fast.yaml"), FAST_DEVICE);

    int code =
        run(
            scratchToken(),
            "--profile",
            profile.toString(),
            "--only",
            "2-4,2-7,2-8,2-11",
            "--scale",
            "0.05");

    assertThat(code).as(Files.readString(log)).isZero();
    JsonNode document = document();
    assertThat(document.get("simulatedProfile").asString()).isEqualTo("fast");
    assertNoKeyIsLeft(document);
    Map<String, Double> fastest =
        list(document.get("tables")).stream()
            .flatMap(table -> list(table.get("rows")).stream())
            .flatMap(row -> list(row.get("measurements")).stream())
            .flatMap(measurement -> list(measurement.get("figures")).stream())
            .filter(timed -> !timed.get("figure").get("spread").isNull())
            .collect(
                Collectors.toMap(
                    timed -> timed.get("quantity").asString(),
                    timed -> timed.get("figure").get("spread").get("min").asDouble(),
                    Math::min));
    assertThat(fastest.get("generate")).isGreaterThanOrEqualTo(10);
    assertThat(fastest.get("unwrap")).isGreaterThanOrEqualTo(2);
    assertThat(fastest.get("sign, certify, destroy")).isGreaterThanOrEqualTo(60);
    assertThat(Files.readString(report.resolve("report.html"))).contains("times are simulated");
  }

  /** A token that is made for the run, as the launcher has it. */
  private Map<String, String> scratchToken() throws IOException {
    SoftHsmToken notThere = SoftHsmToken.notYetCreated();
    Map<String, String> settings = new HashMap<>(usersToken(notThere));
    Path soPin =
        Files.createFile(
            folder.resolve("so-pin"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(soPin, new String(RandomPin.characters()));
    settings.put("KEYWELL_HSM_SOPINFILE", soPin.toString());
    settings.put("KEYWELL_HSM_BOOTSTRAP", "if-missing");
    return settings;
  }

  @Test
  void aRunThatIsToldToEndStillReports() throws Exception {
    Process process =
        start(
            usersToken(SoftHsmToken.create()),
            "--only",
            "2-4",
            "--profile",
            "none",
            "--thesis-counts");
    while (process.isAlive() && !Files.readString(log).contains("Table 2-4")) {
      Thread.sleep(100);
    }
    process.destroy();

    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(143);
    JsonNode document = document();
    assertThat(document.get("interrupted").asBoolean()).isTrue();
    assertNoKeyIsLeft(document);
    JsonNode first = document.get("tables").get(0).get("rows").get(0).get("measurements").get(0);
    assertThat(first.get("figures").get(0).get("figure").get("count").asInt())
        .isBetween(1, first.get("planned").asInt());
    assertThat(Files.readString(report.resolve("report.html"))).contains("was interrupted");
  }

  @Test
  void aTokenThatIsNotPreparedIsLeftAlone() throws Exception {
    SoftHsmToken token = SoftHsmToken.createWithoutWrappingKey();
    List<String> before = tokenFiles();

    int code = run(usersToken(token), "--only", "2-4");

    assertThat(code).isEqualTo(1);
    assertThat(Files.readString(log).lines())
        .singleElement()
        .asString()
        .startsWith("keywell: wrapping key '")
        .contains("does not exist in the token");
    assertThat(report).doesNotExist();
    assertThat(tokenFiles()).isEqualTo(before);
  }
}
