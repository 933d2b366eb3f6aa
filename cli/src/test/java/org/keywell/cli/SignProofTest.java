package org.keywell.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.ca.standin.StandInService;
import org.keywell.cli.log.TestLog;
import org.keywell.client.Digest;
import org.keywell.testkit.Answers;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.keywell.testkit.TestIdentity;
import org.keywell.tlog.TlogProof;
import org.keywell.tlog.TreeHash;

/** {@code sign --proof}, against a log that the test writes. */
class SignProofTest {
  /** What {@link Answers#signed} answers. */
  private static final String ID = "6f2f7c1e-9f0f-4c7c-8f5b-0f3f5c9d7a11";

  @TempDir private Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private TestLog log;
  private StubService service;
  private TestIdentity identity;
  private Path file;

  @BeforeEach
  void start() throws Exception {
    log = TestLog.in(dir.resolve("log"), "EC").growTo(300);
    identity = TestIdentity.ec();
    file = Files.writeString(dir.resolve("notes.txt"), "I agree.\n");
    service = StubService.start();
    service.when(
        "POST /sign",
        _ ->
            Answer.json(
                Answers.signed(
                    identity,
                    "ECDSA",
                    Answers.sign(identity, "ECDSA", "SHA-256", Files.readAllBytes(file)))));
    service.when("GET /log/key", _ -> logFile("key"));
    service.when("GET /log/checkpoint", _ -> logFile("checkpoint"));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private Answer logFile(String name) throws IOException {
    return new Answer(200, "text/plain", Files.readAllBytes(log.directory().resolve(name)));
  }

  private int run(String url, String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.addAll(List.of("--url", url));
    return KeywellCommand.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  private int sign(String... more) {
    List<String> args = new ArrayList<>(List.of("sign", file.toString(), "--proof"));
    args.addAll(Arrays.asList(more));
    return run(service.uri().toString(), args.toArray(String[]::new));
  }

  /** The end of a request as the service logs it. */
  private static String end(String id, List<byte[]> digests, byte[] certificate) throws Exception {
    return """
    {"certificateSha256":"%s","digests":[%s],"keyId":7,"request":"%s","status":"signed","type":"request","v":1}\
    """
        .formatted(
            HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate)),
            digests.stream()
                .map(Base64.getEncoder()::encodeToString)
                .collect(Collectors.joining("\",\"", "\"", "\"")),
            id);
  }

  private byte[] logged(String entry) throws Exception {
    long index = log.size();
    log.append(List.of(entry.getBytes(StandardCharsets.UTF_8))).growTo(index + 20);
    return log.proof(index).bytes();
  }

  private void proves(UnaryOperator<String> change) {
    service.when(
        "GET /log/proof/" + ID,
        _ ->
            new Answer(
                200,
                "text/plain",
                logged(
                    change.apply(
                        end(ID, List.of(Digest.SHA_256.of(file)), identity.certificateDer())))));
  }

  private void holds(Path proof) throws IOException {
    TlogProof read = TlogProof.parse(Files.readAllBytes(proof));
    assertThat(
            read.verify(TestLog.ORIGIN, List.of(log.key()), TreeHash.ofLeaf(read.extra())).size())
        .isEqualTo(320);
  }

  @Test
  void writesAProofThatHolds() throws Exception {
    proves(entry -> entry);

    assertThat(sign()).as(err.toString()).isZero();

    holds(dir.resolve("notes.txt.sig.tlog-proof"));
    assertThat(out.toString())
        .contains("trusted on first use", log.key().toString(), "Waiting until the log has")
        .contains("entry      300 of 320 in " + TestLog.ORIGIN);
  }

  @Test
  void waitsForTheProof() throws Exception {
    service.when(
        "GET /log/proof/" + ID,
        _ -> {
          proves(entry -> entry);
          return Answer.problem(404, "{\"type\":\"urn:keywell:problem:log-entry-not-found\"}");
        });

    assertThat(sign("--log-key", log.key().toString())).as(err.toString()).isZero();

    holds(dir.resolve("notes.txt.sig.tlog-proof"));
    assertThat(out.toString()).doesNotContain("first use");
  }

  @ParameterizedTest
  @CsvSource({
    "'\"status\":\"signed\"', '\"status\":\"failed\"', 'entry 300 has status failed instead of signed'",
    "6f2f7c1e, 6f2f7c1f, 'entry 300 has request 6f2f7c1f-9f0f-4c7c-8f5b-0f3f5c9d7a11 instead of 6f2f7c1e-9f0f-4c7c-8f5b-0f3f5c9d7a11'",
    "'\"digests\":[\"', '\"digests\":[\"AA==\",\"', 'entry 300 has other digests'",
    "'\"certificateSha256\":\"', '\"certificateSha256\":\"00', 'entry 300 has certificateSha256'",
    "'{', '', 'entry 300 is no JSON'"
  })
  void aProofOfSomethingElseIsRefused(String part, String other, String why) throws Exception {
    proves(entry -> entry.replace(part, other));

    assertThat(sign()).isEqualTo(1);

    assertThat(err.toString())
        .startsWith(
            "keywell: request %s was signed, but the log's proof does not hold: %s"
                .formatted(ID, why))
        .hasLineCount(1);
    assertThat(dir.resolve("notes.txt.sig")).exists();
    assertThat(dir.resolve("notes.txt.sig.tlog-proof")).doesNotExist();
  }

  @Test
  void anEntryThatIsNotInTheLogIsRefused() throws Exception {
    byte[] entry =
        end(ID, List.of(Digest.SHA_256.of(file)), identity.certificateDer())
            .getBytes(StandardCharsets.UTF_8);
    TlogProof other = log.proof(5);
    service.when(
        "GET /log/proof/" + ID,
        _ ->
            new Answer(
                200,
                "text/plain",
                new TlogProof(entry, 5, other.hashes(), other.checkpoint()).bytes()));

    assertThat(sign()).isEqualTo(1);

    assertThat(err.toString()).contains("the entry is not at index 5 of the log");
  }

  @Test
  void aForeignLogSpendsNoKey() throws Exception {
    TestLog foreign = TestLog.in(dir.resolve("foreign"), "Ed25519").growTo(1);

    assertThat(sign("--log-key", foreign.directory().resolve("key").toString())).isEqualTo(1);

    assertThat(err.toString())
        .contains("is not signed by " + foreign.key(), "; nothing was signed")
        .hasLineCount(1);
    assertThat(service.bodies()).allMatch(body -> body.length == 0);
  }

  @Test
  void aServiceWithoutALogSpendsNoKey() {
    service.when("GET /log/key", _ -> Answer.problem(404, "{}"));

    assertThat(sign()).isEqualTo(1);

    assertThat(err.toString()).contains("has no log").hasLineCount(1);
    assertThat(service.bodies()).allMatch(body -> body.length == 0);
  }

  @Test
  void anEarlierProofIsKeptUnlessForced() throws Exception {
    proves(entry -> entry);
    Path earlier = Files.writeString(dir.resolve("notes.txt.sig.tlog-proof"), "earlier");

    assertThat(sign()).isEqualTo(1);
    assertThat(earlier).hasContent("earlier");
    assertThat(service.bodies()).isEmpty();

    assertThat(sign("--force")).isZero();
    holds(earlier);
  }

  @ParameterizedTest
  @CsvSource({
    "--pades, contract-signed.pdf",
    "--cades, contract.pdf.p7s",
    "--asice, contract.pdf.asice"
  })
  void provesDocuments(String form, String result) throws Exception {
    Path document = Files.copy(Path.of("../launcher/demo.pdf"), dir.resolve("contract.pdf"));
    try (StandInService standIn = new StandInService()) {
      standIn.serve("/log/", exchange -> serve(exchange, standIn));

      assertThat(run(standIn.uri().toString(), "sign", document.toString(), form, "--proof"))
          .as(err.toString())
          .isZero();

      holds(dir.resolve(result + ".tlog-proof"));
    }
  }

  private void serve(HttpExchange exchange, StandInService standIn) throws IOException {
    String path = exchange.getRequestURI().getPath().substring("/log/".length());
    try (exchange) {
      byte[] answer = answer(path, standIn);
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    } catch (Exception e) {
      throw new IOException(path, e);
    }
  }

  private byte[] answer(String path, StandInService standIn) throws Exception {
    if (!path.startsWith("proof/")) {
      return Files.readAllBytes(log.directory().resolve(path));
    }
    String id = path.substring("proof/".length());
    StandInService.Signed signed = standIn.signed(id);
    return logged(end(id, signed.digests(), signed.certificate()));
  }
}
