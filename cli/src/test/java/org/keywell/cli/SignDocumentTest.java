package org.keywell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
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
import org.keywell.ca.standin.StandInService;
import org.keywell.client.KeywellClient;
import org.keywell.client.Signer;
import org.keywell.dss.Document;
import org.keywell.dss.DocumentFormat;
import org.keywell.dss.DocumentVerification;
import org.keywell.dss.KeywellDocumentSigner;
import org.keywell.dss.VerifiedSignature;
import org.keywell.testkit.TestIdentity;

/** {@code sign} with a form of document, against a stand-in for the service. */
class SignDocumentTest {
  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private StandInService service;

  @BeforeEach
  void start() throws IOException {
    service = new StandInService();
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.addAll(List.of("--url", service.uri().toString()));
    return KeywellCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  private static Document sample(DocumentFormat format) throws IOException {
    return switch (format) {
      case PADES -> pdf();
      case XADES_ENVELOPED -> text("contract.xml", "<contract>One boat</contract>");
      case JADES -> text("contract.json", "{\"contract\":\"One boat\"}");
      default -> text("contract.txt", "One boat\n");
    };
  }

  private static Document pdf() throws IOException {
    return new Document("contract.pdf", Files.readAllBytes(Path.of("../launcher/demo.pdf")));
  }

  private static Document text(String name, String content) {
    return new Document(name, content.getBytes(StandardCharsets.UTF_8));
  }

  private Path written(Document document) throws IOException {
    return Files.write(dir.resolve(document.name()), document.content());
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      return files.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--pades, PADES, contract-signed.pdf, PAdES-BASELINE-B",
    "--xades, XADES_ENVELOPED, contract-signed.xml, XAdES-BASELINE-B",
    "--xades, CADES, contract-signed.xml, XAdES-BASELINE-B",
    "--cades, CADES_DETACHED, contract.txt.p7s, CAdES-BASELINE-B",
    "--jades, JADES, contract-signed.json, JAdES-BASELINE-B",
    "--asice, ASICE_XADES, contract.txt.asice, XAdES-BASELINE-B"
  })
  void writesADocumentThatDssPasses(String option, DocumentFormat sample, String name, String level)
      throws Exception {
    Document content = sample(sample);
    Path file = written(content);
    boolean inOneCall = sample == DocumentFormat.PADES;

    assertThat(
            run(
                "sign",
                file.toString(),
                option,
                "--key-spec=EC-P256",
                "--signature-algorithm=ECDSA"))
        .as(err.toString())
        .isZero();

    assertThat(files()).containsExactlyInAnyOrder(content.name(), name);
    assertThat(out.toString())
        .contains("EU DSS says TOTAL_PASSED: " + level)
        .containsPattern("get the certificate +" + (inOneCall ? "-" : "[0-9.]+ ms"))
        .containsPattern("in all +[0-9.]+ ms");
    assertThat(
            DocumentVerification.trusting(List.of(service.root()))
                .verify(
                    Document.read(dir.resolve(name)),
                    option.equals("--cades") ? List.of(content) : List.of())
                .passed())
        .isTrue();
    assertThat(service.signedInOneCall()).hasSize(inOneCall ? 1 : 0);
    assertThat(service.signedActs()).hasSize(inOneCall ? 0 : 1);
  }

  /** Another CA's signature is neither proved nor broken by ours. */
  @ParameterizedTest
  @CsvSource({"PADES, contract-signed.pdf", "XADES_ENVELOPED, contract-signed.xml"})
  void aSignatureOfAnUnknownCaIsNoReasonToFail(DocumentFormat format, String name)
      throws Exception {
    Document earlier;
    try (StandInService other = new StandInService();
        KeywellClient client = new KeywellClient(other.uri())) {
      earlier =
          new KeywellDocumentSigner(client).sign(sample(format), format, Signer.named("Earlier"));
    }
    Path file = Files.write(dir.resolve(sample(format).name()), earlier.content());
    String option = format == DocumentFormat.PADES ? "--pades" : "--xades";

    assertThat(run("sign", file.toString(), option)).as(err.toString()).isZero();

    assertThat(files()).contains(name);
    assertThat(out.toString())
        .contains("EU DSS says TOTAL_PASSED", "EU DSS says INDETERMINATE")
        .contains("earlier signatures that these roots do not prove: 1");
  }

  @Test
  void trustsTheRootThatIsNamed() throws Exception {
    Path file = written(pdf());
    Path own =
        Files.writeString(
            dir.resolve("root.pem"), Pem.certificates(List.of(service.root().getEncoded())));
    Path other = Files.writeString(dir.resolve("other.pem"), TestIdentity.ec().certificatePem());

    assertThat(
            run(
                "sign",
                file.toString(),
                "--pades",
                "--visible-text=Signed\\nhere",
                "--root",
                own.toString()))
        .isZero();
    assertThat(out.toString()).doesNotContain("the root that the service answered");

    assertThat(run("sign", file.toString(), "--pades", "--force", "--root", other.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("EU DSS does not pass the signed document");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--key-spec=EC-P256", "--visible", "--visible-text=Agreed"})
  void halfAPdfIsMisuseAndNothingIsAsked(String option) throws Exception {
    byte[] whole = pdf().content();
    Path file = Files.write(dir.resolve("contract.pdf"), Arrays.copyOf(whole, whole.length / 2));

    assertThat(run("sign", file.toString(), "--pades", option)).isEqualTo(2);

    assertThat(err.toString())
        .contains("contract.pdf cannot be signed as PADES: it is not a whole PDF")
        .hasLineCount(1);
    assertThat(files()).containsExactly("contract.pdf");
    assertThat(service.signedInOneCall()).isEmpty();
    assertThat(service.openedActs()).isZero();
  }

  private Path encrypted() throws IOException {
    return Files.copy(
        Path.of("../dss/src/test/resources/org/keywell/dss/pdf/qpdf-password.pdf"),
        dir.resolve("secret.pdf"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"user's", "user's\n", "owner's\r\nand a comment"})
  void aPasswordOpensAnEncryptedPdf(String content) throws Exception {
    Path file = encrypted();
    Path password = Files.writeString(dir.resolve("password"), content);

    assertThat(run("sign", file.toString(), "--pades", "--password-file", password.toString()))
        .as(err.toString())
        .isZero();

    assertThat(out.toString()).contains("EU DSS says TOTAL_PASSED").doesNotContain("user's");
    DocumentVerification verification = DocumentVerification.trusting(List.of(service.root()));
    Document signed = Document.read(dir.resolve("secret-signed.pdf"));
    assertThat(verification.verify(signed).signatures()).as("it is encrypted").isEmpty();
    assertThat(verification.verify(signed.withPassword("user's")).passed()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "guessed, the password does not open it (--password-file)",
    "'', is not a password in UTF-8",
    ", its password is not given (--password-file)"
  })
  void withoutThePasswordNothingIsAsked(String content, String named) throws Exception {
    List<String> command = new ArrayList<>(List.of("sign", encrypted().toString(), "--pades"));
    if (content != null) {
      Path password = Files.writeString(dir.resolve("password"), content);
      command.addAll(List.of("--password-file", password.toString()));
    }

    assertThat(run(command.toArray(String[]::new))).isEqualTo(2);

    assertThat(err.toString()).contains(named).doesNotContain("guessed").hasLineCount(1);
    assertThat(files()).doesNotContain("secret-signed.pdf");
    assertThat(service.signedInOneCall()).isEmpty();
    assertThat(service.openedActs()).isZero();
  }

  @Test
  void severalSignersSignVisiblyOneAfterTheOther() throws Exception {
    Path file = written(pdf());
    for (String name : List.of("Astrid", "Birger", "Cecilia")) {
      assertThat(run("sign", file.toString(), "--pades", "--visible", "--common-name", name))
          .as(err.toString())
          .isZero();
      Files.move(dir.resolve("contract-signed.pdf"), file, StandardCopyOption.REPLACE_EXISTING);
    }
    assertThat(
            run(
                "sign",
                file.toString(),
                "--pades",
                "--visible-page=1",
                "--visible-at=100,300",
                "--visible-size=150x40",
                "--visible-text=Seen\\nand agreed"))
        .as(err.toString())
        .isZero();

    assertThat(
            DocumentVerification.trusting(List.of(service.root()))
                .verify(Document.read(dir.resolve("contract-signed.pdf")))
                .signatures())
        .hasSize(4)
        .allMatch(VerifiedSignature::passed);
  }

  @Test
  void aNameThatTheFontCannotShowNamesTheOption() throws Exception {
    Path file = written(pdf());

    assertThat(run("sign", file.toString(), "--pades", "--visible", "--common-name", "\u5c71"))
        .isEqualTo(2);

    assertThat(err.toString())
        .contains("U+5C71", "--visible-font", "--visible-text")
        .hasLineCount(1);
    assertThat(service.openedActs()).isZero();
  }

  @Test
  void writesASummaryForScripts() throws Exception {
    Path file = written(pdf());
    Path summary = dir.resolve("summary");

    assertThat(
            run("sign", file.toString(), "--pades", "--warm-up", "--summary", summary.toString()))
        .isZero();

    assertThat(summary)
        .content(StandardCharsets.UTF_8)
        .contains("FORM=PADES\n", "SIGNED_FILE=" + dir.resolve("contract-signed.pdf") + "\n")
        .containsPattern("REQUEST_ID=[0-9a-f-]{36}\n");
    assertThat(service.signedInOneCall()).as("one to warm up").hasSize(2);
  }

  @Test
  void noActIsOpenedForWhatCouldNotBeWritten() throws Exception {
    Path file = written(pdf());
    Files.createDirectory(dir.resolve("contract-signed.pdf"));

    assertThat(run("sign", file.toString(), "--pades", "--force")).isEqualTo(2);

    assertThat(err.toString()).contains("nothing was signed");
    assertThat(service.signedInOneCall()).isEmpty();
    assertThat(service.signedActs()).isEmpty();
    assertThat(service.cancelledActs()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sign pom.xml --pades --xades",
        "sign pom.xml --visible",
        "sign pom.xml --cades --visible-text x",
        "sign pom.xml --visible-page 1",
        "sign pom.xml --pades --visible-page 0",
        "sign pom.xml --pades --visible-page x",
        "sign pom.xml --pades --visible-at 36x36",
        "sign pom.xml --pades --visible-at=-1,36",
        "sign pom.xml --pades --visible-size 220,54",
        "sign pom.xml --pades --visible-size 2x4",
        "sign pom.xml --pades --visible-field a --visible-page 1",
        "sign pom.xml --tsa http://127.0.0.1:1/",
        "sign pom.xml --cades --tsa ftp://127.0.0.1/",
        "sign pom.xml --cades --tsa nobody",
        "sign pom.xml --cades --password-file pom.xml",
        "sign pom.xml --tsa none"
      })
  void misuseIsOneLineAndExitCodeTwo(String commandLine) {
    assertThat(run(commandLine.split(" "))).isEqualTo(2);

    assertThat(err.toString()).startsWith("keywell: ").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "rw-------, --pades",
    "rw-------, --cades",
    "r--r-----, --asice",
    "rwxrwxrwx, --jades"
  })
  void resultsAreNoMoreReadableThanTheOriginal(String permissions, String form) throws Exception {
    Set<PosixFilePermission> original = PosixFilePermissions.fromString(permissions);
    Path file = Files.setPosixFilePermissions(written(pdf()), original);
    String summary = dir.resolve("summary").toString();
    assertThat(run("sign", file.toString(), form, "--summary", summary))
        .as(err.toString())
        .isZero();

    Set<PosixFilePermission> usual =
        Files.getPosixFilePermissions(Files.writeString(dir.resolve("usual"), ""));
    Set<PosixFilePermission> most = EnumSet.copyOf(usual);
    most.retainAll(original);
    most.addAll(PosixFilePermissions.fromString("rw-------"));
    try (Stream<Path> files = Files.list(dir)) {
      List<Path> results =
          files.filter(path -> !path.equals(file) && !path.endsWith("usual")).toList();
      assertThat(results).hasSizeGreaterThan(1);
      for (Path result : results) {
        assertThat(Files.getPosixFilePermissions(result)).as(result.toString()).isEqualTo(most);
      }
    }
  }
}
