package org.keywell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.standin.PublishingCa;
import org.keywell.ca.standin.StandInService;
import org.keywell.ca.token.PemCertificates;
import org.keywell.testkit.TestIdentity;

/** {@code extend}, and {@code sign --level}, against a stand-in for the service. */
class ExtendCommandTest {
  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private PublishingCa ca;
  private PublishingCa.Unit unit;
  private StandInService service;

  @BeforeEach
  void start() throws IOException {
    ca = new PublishingCa();
    service = new StandInService(ca);
    unit = ca.unit(Duration.ofDays(365));
    unit.serve(service);
  }

  @AfterEach
  void stop() {
    service.close();
    ca.close();
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.addAll(List.of("--url", service.uri().toString()));
    return KeywellCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  private String signed(String name, String form, String... more) throws IOException {
    Path file = dir.resolve(name);
    if (name.endsWith(".pdf")) {
      Files.copy(Path.of("../launcher/demo.pdf"), file);
    } else {
      Files.writeString(file, "<contract>One boat</contract>");
    }
    List<String> command = new ArrayList<>(List.of("sign", file.toString(), form));
    command.addAll(List.of(more));
    assertThat(run(command.toArray(String[]::new))).as(err.toString()).isZero();
    try (Stream<Path> files = Files.list(dir)) {
      return files.filter(path -> !path.equals(file)).findFirst().orElseThrow().toString();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "contract.pdf, --pades, contract-signed-lta.pdf, PAdES",
    "contract.xml, --xades, contract-signed-lta.xml, XAdES",
    "contract.xml, --cades, contract.xml-lta.p7s, CAdES",
    "contract.txt, --jades, contract-signed-lta.json, JAdES",
    "contract.txt, --asice, contract.txt-lta.asice, XAdES"
  })
  void extendsWhatWasSigned(String name, String form, String result, String kind) throws Exception {
    Path signed = Path.of(signed(name, form, "--level", "b"));
    byte[] before = Files.readAllBytes(signed);
    Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rw-------");
    Files.setPosixFilePermissions(signed, ownerOnly);

    assertThat(run("extend", signed.toString())).as(err.toString()).isZero();
    assertThat(Files.getPosixFilePermissions(dir.resolve(result))).isEqualTo(ownerOnly);

    assertThat(out.toString())
        .contains("EU DSS says TOTAL_PASSED: " + kind + "-BASELINE-B")
        .contains("EU DSS says TOTAL_PASSED: " + kind + "-BASELINE-LTA")
        .contains("trusting the roots that the service answered");
    assertThat(dir.resolve(result)).exists();
    assertThat(signed).hasBinaryContent(before);
  }

  @ParameterizedTest
  @CsvSource({"t, T", "LT, LT", "lta, LTA"})
  void signsAtALevel(String level, String shown) throws Exception {
    String signed = signed("contract.pdf", "--pades", "--level", level);

    assertThat(signed).endsWith("contract-signed.pdf");
    assertThat(out.toString())
        .contains("EU DSS says TOTAL_PASSED: PAdES-BASELINE-" + shown + " by");
  }

  @Test
  void extendsToTheLevelAskedForAndAgainInPlace() throws Exception {
    String signed = signed("contract.pdf", "--pades");
    String other = dir.resolve("other.pdf").toString();

    assertThat(run("extend", signed, "--level", "lt", "-o", other)).as(err.toString()).isZero();
    assertThat(out.toString()).contains("PAdES-BASELINE-LT by");
    for (int i = 0; i < 2; i++) {
      long size = Files.size(Path.of(other));
      assertThat(run("extend", other, "--out", other)).isEqualTo(1);
      assertThat(err.toString()).contains("exists already; --force replaces it");
      assertThat(run("extend", other, "--out", other, "--force")).as(err.toString()).isZero();
      assertThat(Files.size(Path.of(other))).isGreaterThan(size);
    }
    assertThat(out.toString()).contains("PAdES-BASELINE-LTA by");
  }

  @Test
  void needsNoServiceIfAllIsGiven() throws Exception {
    String signed = signed("contract.pdf", "--pades");
    Path root = write("root.pem", PemCertificates.write(List.of(ca.root())));
    URI authority = unit.uri();
    service.close();

    assertThat(run("extend", signed, "--root", root.toString(), "--tsa", authority.toString()))
        .as(err.toString())
        .isZero();
    assertThat(out.toString())
        .contains("PAdES-BASELINE-LTA by")
        .doesNotContain("trusting the roots that");
  }

  @Test
  void refusesWhatItDoesNotTrust() throws Exception {
    String signed = signed("contract.pdf", "--pades");
    Path root = write("other.pem", TestIdentity.ec().certificatePem());

    assertThat(run("extend", signed, "--root", root.toString())).isEqualTo(1);

    assertThat(err.toString()).contains("does not pass verification").hasLineCount(1);
    assertThat(dir.resolve("contract-signed-lta.pdf")).doesNotExist();
  }

  @Test
  void refusesWhatIsNotSigned() throws Exception {
    Path file = write("contract.txt", "One boat\n");

    assertThat(run("extend", file.toString())).isEqualTo(1);

    assertThat(err.toString()).contains("contract.txt has no signature").hasLineCount(1);
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void namesTheListThatIsMissing() throws Exception {
    ca.answerForSigners(exchange -> {
      exchange.sendResponseHeaders(503, -1);
      exchange.close();
    });
    Path file = Files.copy(Path.of("../launcher/demo.pdf"), dir.resolve("contract.pdf"));

    assertThat(run("sign", file.toString(), "--pades", "--level", "lta")).isEqualTo(1);

    assertThat(err.toString())
        .contains("it is signed at level T", "./keywell extend")
        .contains(ca.listOf(ca.issued().getFirst()))
        .hasLineCount(1);
    assertThat(dir.resolve("contract-signed.pdf")).exists();
    assertThat(out.toString()).contains("EU DSS says TOTAL_PASSED: PAdES-BASELINE-T by");
  }

  @Test
  void aLevelNeedsAnAuthority() throws Exception {
    Path file = Files.copy(Path.of("../launcher/demo.pdf"), dir.resolve("contract.pdf"));
    try (StandInService without = new StandInService(ca)) {
      for (String level : List.of("t", "lta")) {
        assertThat(
                KeywellCommand.commandLine()
                    .setErr(new PrintWriter(err, true))
                    .execute(
                        "sign",
                        file.toString(),
                        "--pades",
                        "--level",
                        level,
                        "--url",
                        without.uri().toString()))
            .isEqualTo(1);
        assertThat(err.toString()).contains("makes no time stamps for you");
      }
      assertThat(without.openedActs()).isZero();
    }
  }

  private Path write(String name, String content) throws IOException {
    return Files.writeString(dir.resolve(name), content, StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "extend",
        "extend no-such-file",
        "extend pom.xml --level b",
        "extend pom.xml --level x",
        "extend pom.xml --tsa none",
        "extend pom.xml --content no-such-file",
        "sign pom.xml --level lta",
        "sign pom.xml --cades --level x",
        "sign pom.xml --cades --level t --tsa none",
        "sign pom.xml --cades --level b --tsa http://127.0.0.1:1/"
      })
  void misuseIsOneLineAndExitCodeTwo(String commandLine) {
    assertThat(run(commandLine.split(" "))).isEqualTo(2);

    assertThat(err.toString()).startsWith("keywell: ").hasLineCount(1);
  }
}
