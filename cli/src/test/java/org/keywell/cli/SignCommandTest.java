package org.keywell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.client.Digest;
import org.keywell.testkit.Answers;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.keywell.testkit.TestIdentity;

class SignCommandTest {
  private static final String PKCS1 = "RSASSA-PKCS1-v1_5";
  private static TestIdentity rsa;
  private static TestIdentity ec;

  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private StubService service;

  @BeforeAll
  static void makeIdentities() throws Exception {
    rsa = TestIdentity.rsa();
    ec = TestIdentity.ec();
  }

  @BeforeEach
  void start() throws IOException {
    service = StubService.start();
    service.when("GET /pool", _ -> Answer.json(Answers.POOL));
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

  private Path file(String name) throws IOException {
    return Files.writeString(dir.resolve(name), "I agree.\n");
  }

  private void signsWith(TestIdentity identity, String algorithm, Digest digest, Path file) {
    service.when(
        "POST /sign",
        _ -> {
          byte[] content = Files.readAllBytes(file);
          byte[] signature = Answers.sign(identity, algorithm, digest.label(), content);
          return Answer.json(Answers.signed(identity, algorithm, signature));
        });
  }

  private List<String> filesIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(p -> p.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RSASSA-PKCS1-v1_5, SHA-256", "RSASSA-PKCS1-v1_5, SHA-384", "RSASSA-PKCS1-v1_5, SHA-512",
    "RSASSA-PSS, SHA-256", "RSASSA-PSS, SHA-384", "RSASSA-PSS, SHA-512",
    "ECDSA, SHA-256", "ECDSA, SHA-384", "ECDSA, SHA-512"
  })
  void writesSignatureAndChain(String algorithm, String digestLabel) throws Exception {
    Digest digest = new KeyOptions.DigestConverter().convert(digestLabel);
    TestIdentity identity = algorithm.equals("ECDSA") ? ec : rsa;
    Path file = file("contract.txt");
    signsWith(identity, algorithm, digest, file);

    int exit =
        run("sign", file.toString(), "--digest", digestLabel, "--signature-algorithm", algorithm);

    assertThat(err.toString()).isEmpty();
    assertThat(exit).isZero();
    assertThat(filesIn(dir))
        .containsExactly("contract.txt", "contract.txt.chain.pem", "contract.txt.sig");
    assertThat(dir.resolve("contract.txt.chain.pem")).content().hasLineCount(chainLines(identity));
  }

  private static int chainLines(TestIdentity identity) throws Exception {
    int base64Length = (identity.certificateDer().length + 2) / 3 * 4;
    return 2 * (2 + (base64Length + 63) / 64);
  }

  @Test
  void showsTheStagesAndThePool() throws Exception {
    Path file = file("contract.txt");
    signsWith(rsa, PKCS1, Digest.SHA_256, file);

    run("sign", file.toString(), "--pool");

    assertThat(out.toString())
        .containsPattern("wait in the queue +0\\.100 ms")
        .containsPattern("certify +2\\.000 ms")
        .containsPattern("in the service +4\\.500 ms")
        .containsPattern("until this answer +[0-9.]+ ms")
        .containsPattern("RSA-2048 +112 keys +112 keys");
  }

  @Test
  void writesASummaryForScripts() throws Exception {
    Path file = file("contract.txt");
    Path summary = dir.resolve("summary");
    signsWith(rsa, PKCS1, Digest.SHA_256, file);

    run("sign", file.toString(), "--summary", summary.toString());

    assertThat(summary)
        .content()
        .contains("FILE=" + file + "\n", "DIGEST=SHA-256\n", "SIGNATURE_ALGORITHM=" + PKCS1 + "\n")
        .contains("SIGNATURE_FILE=" + file + ".sig\n", "CHAIN_FILE=" + file + ".chain.pem\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"kontrakt åäö.txt", "契約.pdf", "two  spaces", "-dash", "a%s$x'\"b"})
  void takesAnyFileName(String name) throws Exception {
    Path file = file(name);
    signsWith(rsa, PKCS1, Digest.SHA_256, file);

    assertThat(run("sign", file.toString())).isZero();

    assertThat(filesIn(dir)).containsExactlyInAnyOrder(name, name + ".sig", name + ".chain.pem");
  }

  @Test
  void writesElsewhereWhenToldTo() throws Exception {
    Path file = file("contract.txt");
    Path elsewhere = Files.createDirectory(dir.resolve("out"));
    signsWith(rsa, PKCS1, Digest.SHA_256, file);

    assertThat(run("sign", file.toString(), "--out", elsewhere.toString())).isZero();

    assertThat(filesIn(elsewhere)).containsExactly("contract.txt.chain.pem", "contract.txt.sig");
  }

  @Test
  void keepsAnEarlierSignatureAndSpendsNoKeyUnlessForced() throws Exception {
    Path file = file("contract.txt");
    Path earlier = Files.writeString(dir.resolve("contract.txt.sig"), "earlier");
    signsWith(rsa, PKCS1, Digest.SHA_256, file);

    assertThat(run("sign", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("exists already; --force replaces it");
    assertThat(earlier).hasContent("earlier");
    assertThat(service.bodies()).isEmpty();

    assertThat(run("sign", file.toString(), "--force")).isZero();
    assertThat(Files.size(earlier)).isEqualTo(256);
  }

  @Test
  void aRefusalIsOneLineAndLeavesNothing() throws Exception {
    Path file = file("contract.txt");
    service.when(
        "POST /sign",
        _ ->
            Answer.problem(
                503,
                "{\"type\":\"urn:keywell:problem:pool-empty\",\"detail\":\"No key is left\"}"));

    assertThat(run("sign", file.toString())).isEqualTo(1);

    assertThat(err.toString())
        .isEqualTo(
            "keywell: the service did not sign: urn:keywell:problem:pool-empty: No key is left\n");
    assertThat(filesIn(dir)).containsExactly("contract.txt");
  }

  @Test
  void aSignatureThatDoesNotFitIsNotWritten() throws Exception {
    Path file = file("contract.txt");
    Path other = Files.writeString(dir.resolve("other.txt"), "I do not agree.\n");
    signsWith(rsa, PKCS1, Digest.SHA_256, other);

    assertThat(run("sign", file.toString())).isEqualTo(1);

    assertThat(err.toString()).contains("the signature does not fit");
    assertThat(filesIn(dir)).containsExactly("contract.txt", "other.txt");
  }

  /** A directory in a result's place binds the superuser, too. */
  @Test
  void nothingIsAskedForThatCouldNotBeWritten() throws Exception {
    Path file = file("contract.txt");
    Path obstacle = Files.createDirectories(dir.resolve("contract.txt.sig/full")).getParent();
    signsWith(rsa, PKCS1, Digest.SHA_256, file);

    assertThat(run("sign", file.toString(), "--force")).isEqualTo(2);

    assertThat(err.toString())
        .isEqualTo(
            "keywell: cannot write %s: %s is a directory; nothing was signed (--out DIR writes elsewhere) (--help explains)\n"
                .formatted(obstacle, obstacle));
    assertThat(service.bodies()).isEmpty();
    assertThat(filesIn(dir)).containsExactly("contract.txt", "contract.txt.sig");
    assertThat(obstacle).isDirectory();
  }

  /** Where nobody may make files, not even the superuser: the kernel's own. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void nothingIsAskedForWhereNoFileCanBeMade() throws Exception {
    Path file = file("contract.txt");
    signsWith(rsa, PKCS1, Digest.SHA_256, file);

    assertThat(run("sign", file.toString(), "--out", "/proc/self")).isEqualTo(2);

    assertThat(err.toString()).startsWith("keywell: cannot write /proc/self/contract.txt.sig: ");
    assertThat(service.bodies()).isEmpty();
  }

  @Test
  void aReadOnlyDirectorySpendsNoSignature() throws Exception {
    Path file = file("contract.txt");
    signsWith(rsa, PKCS1, Digest.SHA_256, file);
    Path locked = Files.createDirectory(dir.resolve("locked"));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-xr-x"));
    Assumptions.assumeFalse(Files.isWritable(locked), "permissions do not bind this user");

    assertThat(run("sign", file.toString(), "--out", locked.toString())).isEqualTo(2);

    assertThat(err.toString()).contains("no permission for");
    assertThat(service.bodies()).isEmpty();
  }

  @Test
  void aSignatureThatCannotBeWrittenIsKeptElsewhereAndItsRequestNamed() throws Exception {
    Path file = file("contract.txt");
    service.when(
        "POST /sign",
        _ -> {
          // Comes in between: the place was free when the signature was asked for.
          Files.createDirectories(dir.resolve("contract.txt.sig/full"));
          byte[] signature = Answers.sign(rsa, PKCS1, "SHA-256", Files.readAllBytes(file));
          return Answer.json(Answers.signed(rsa, PKCS1, signature));
        });

    assertThat(run("sign", file.toString())).isEqualTo(1);

    assertThat(err.toString())
        .contains("request 6f2f7c1e-9f0f-4c7c-8f5b-0f3f5c9d7a11 was signed, but ")
        .hasLineCount(1);
    Path kept = Path.of(err.toString().strip().replaceFirst(".*the results are in ", ""));
    assertThat(filesIn(kept)).containsExactly("contract.txt.chain.pem", "contract.txt.sig");
    assertThat(Files.size(kept.resolve("contract.txt.sig"))).isEqualTo(256);
    assertThat(filesIn(dir)).containsExactly("contract.txt", "contract.txt.sig");
  }

  @Test
  void aLostConnectionIsTriedAgainUnderTheSameId() throws Exception {
    Path file = file("contract.txt");
    AtomicInteger asked = new AtomicInteger();
    service.when(
        "POST /sign",
        _ -> {
          if (asked.incrementAndGet() == 1) {
            return Answer.problem(502, "{}");
          }
          byte[] signature = Answers.sign(rsa, PKCS1, "SHA-256", Files.readAllBytes(file));
          return Answer.json(Answers.signed(rsa, PKCS1, signature));
        });

    assertThat(run("sign", file.toString())).isZero();

    List<byte[]> bodies = service.bodies().stream().filter(b -> b.length > 0).toList();
    assertThat(bodies).hasSize(2);
    assertThat(bodies.getFirst()).isEqualTo(bodies.getLast());
  }

  @Test
  void aServiceThatIsNotThereIsNamedWithTheRemedy() throws Exception {
    Path file = file("contract.txt");
    service.close();

    assertThat(run("sign", file.toString())).isEqualTo(1);

    assertThat(err.toString())
        .isEqualTo(
            "keywell: no service answers at " + service.uri() + "; start one: ./keywell up\n");
  }

  @Test
  void streamsFilesLargerThanItsMemory() throws Exception {
    // Sparse, so it takes no space; longer than any byte array.
    Path file = dir.resolve("large.bin");
    long size = (1L << 31) + 1;
    try (OutputStream _ = Files.newOutputStream(file);
        var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
      channel.position(size - 1);
      channel.write(ByteBuffer.wrap(new byte[] {1}));
    }
    service.when("POST /sign", _ -> Answer.problem(400, "{\"detail\":\"seen\"}"));

    assertThat(run("sign", file.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("seen");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sign",
        "sign no-such-file",
        "sign .",
        "sign pom.xml --digest MD5",
        "sign pom.xml --key-spec DSA",
        "sign pom.xml --signature-algorithm rot13",
        "sign pom.xml --deadline 0",
        "sign pom.xml --out no-such-directory",
        "sign pom.xml --no-such-option",
        "sign pom.xml --tls-cert alone.pem",
        "wait-for-keys",
        "wait-for-keys -1",
        "no-such-command"
      })
  void misuseIsOneLineAndExitCodeTwo(String commandLine) {
    assertThat(run(commandLine.split(" "))).isEqualTo(2);

    assertThat(err.toString()).startsWith("keywell: ").hasLineCount(1);
    assertThat(service.bodies()).isEmpty();
  }

  @Test
  void anAddressThatIsNoneIsMisuse() {
    StringWriter told = new StringWriter();
    int exit =
        KeywellCommand.commandLine()
            .setErr(new PrintWriter(told, true))
            .execute("status", "--url", "localhost");

    assertThat(exit).isEqualTo(2);
    assertThat(told.toString()).contains("'localhost' is no address like http://127.0.0.1:8420");
  }
}
