package org.keywell.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.keypool.hsm.pkcs11.SoftHsmToken;
import org.keywell.loadgen.service.ServiceProgram;
import org.keywell.testkit.RandomPin;
import org.keywell.testkit.SoftHsm2;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parts on SoftHSM and a real service, with as few keys as there can be, from one kept pool. */
@Timeout(1_200)
final class BenchCommandIT {
  /** The build has made it: this module comes after it. */
  private static final Path JAR =
      Path.of(
          System.getProperty(
              "keywell.standalone.jar", "../standalone/target/keywell-standalone-exec.jar"));

  private static final Map<String, String> environment = new HashMap<>(System.getenv());

  @TempDir private static Path folder = Path.of("");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void aTokenThatIsMade() throws IOException {
    SoftHsmToken token = SoftHsmToken.notYetCreated();
    Path soPin =
        Files.createFile(
            folder.resolve("so-pin"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(soPin, new String(RandomPin.characters()));
    environment.putAll(SoftHsm2.environment());
    environment.putAll(
        Map.of(
            "KEYWELL_HOME", folder.resolve("home").toString(),
            "SERVER_PORT", "25000",
            "KEYWELL_SERVICE_PROGRAM", "-jar\n" + JAR.toAbsolutePath(),
            "KEYWELL_HSM_MODULE", token.config().module().toString(),
            "KEYWELL_HSM_TOKENLABEL", token.config().tokenLabel(),
            "KEYWELL_HSM_WRAPPINGKEYLABEL", token.config().wrappingKeyLabel(),
            "KEYWELL_HSM_PINFILE", token.writePinFile(folder).toString(),
            "KEYWELL_HSM_SOPINFILE", soPin.toString(),
            "KEYWELL_HSM_BOOTSTRAP", "if-missing"));
  }

  private JsonNode bench(String only, String report) throws IOException {
    CommandLine program = BenchProgram.commandLine(() -> ServiceProgram.of(environment));
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    Path folderOfReport = folder.resolve(report);

    int code =
        program.execute(
            "bench",
            "--only",
            only,
            "--rounds",
            "1",
            "--scale",
            "0.01",
            "--busy",
            "--out",
            folderOfReport.toString());

    assertThat(code).as(out + "\n" + err).isZero();
    return JsonMapper.builder()
        .build()
        .readTree(Files.readAllBytes(folderOfReport.resolve("bench.json")));
  }

  @Test
  void aBurstIsHeldAgainstTheRawRateAndThePoolServesTheNextRun() throws Exception {
    JsonNode ratio = bench("b", "first").get("parts").get(0).get("ratios").get(0);
    assertThat(ratio.get("rounds")).hasSize(1);
    // Two processors cannot do more than the HSM alone; a stopped service would not do this much.
    assertThat(ratio.get("median").asDouble()).isBetween(0.001, 1.0);
    Path kept = folder.resolve("home/bench-pool/kept");
    assertThat(Files.readAllLines(kept.resolve("stock"))).isEqualTo(List.of("60", "600"));
    Object filledAt = Files.getLastModifiedTime(kept.resolve("postgres/PG_VERSION"));

    JsonNode again = bench("b", "second").get("parts");

    assertThat(again.get(0).get("ratios").get(0).get("median").asDouble()).isPositive();
    assertThat(Files.getLastModifiedTime(kept.resolve("postgres/PG_VERSION"))).isEqualTo(filledAt);
    assertThat(folder.resolve("home/bench-pool/copies")).doesNotExist();
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      assertThat(
              all.filter(
                  process -> process.info().commandLine().orElse("").contains(folder.toString())))
          .isEmpty();
    }
  }

  @Test
  @Tag("experiment")
  void theFirstMinuteIsMeasured() throws Exception {
    JsonNode part = bench("k", "minute").get("parts").get(0);

    assertThat(part.get("part").asString()).isEqualTo("k");
    assertThat(part.get("ratios"))
        .hasSize(3)
        .allSatisfy(compared -> assertThat(compared.get("median").asDouble()).isPositive());
  }

  @Test
  @Tag("experiment")
  void formsScrapingLogAndTimeStampsAreMeasuredIfNamed() throws Exception {
    JsonNode parts = bench("l,m,n,q", "named").get("parts");

    assertThat(parts.get(0).get("ratios"))
        .hasSize(6)
        .allSatisfy(compared -> assertThat(compared.get("median").asDouble()).isPositive());
    assertThat(parts.get(1).get("ratios")).hasSize(1);
    JsonNode reads = parts.get(1).get("readings").get(6);
    assertThat(reads.get("label").asString()).isEqualTo("reads in all rounds");
    assertThat(reads.get("value").asDouble()).isPositive();
    JsonNode log = parts.get(2);
    assertThat(log.get("ratios")).hasSize(3);
    assertThat(value(log, "with, rows written")).isGreaterThan(value(log, "without, rows written"));
    assertThat(parts.get(3).get("ratios"))
        .hasSize(4)
        .allSatisfy(compared -> assertThat(compared.get("median").asDouble()).isPositive());
  }

  @Test
  @Tag("experiment")
  void theExternalKeyStoreIsMeasuredIfNamed() throws Exception {
    JsonNode part = bench("p", "external").get("parts").get(0);

    assertThat(part.get("readings")).hasSize(15);
    assertThat(value(part, "decrypt, 4 connections")).isPositive();
    assertThat(part.get("readings").get(14).get("label").asString())
        .endsWith("while the service generates and signs, p99");
  }

  private static double value(JsonNode part, String label) {
    return part.get("readings")
        .valueStream()
        .filter(reading -> reading.get("label").asString().equals(label))
        .findFirst()
        .orElseThrow()
        .get("value")
        .asDouble();
  }
}
