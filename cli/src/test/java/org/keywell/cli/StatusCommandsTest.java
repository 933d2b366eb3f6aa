package org.keywell.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.testkit.Answers;
import org.keywell.testkit.RawPort;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;

class StatusCommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private StubService service;

  @BeforeEach
  void start() throws IOException {
    service = StubService.start();
    service.when("GET /readyz", _ -> Answer.json("{\"status\":\"UP\"}"));
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

  @Test
  void statusShowsEachPool() {
    service.when("GET /pool", _ -> Answer.json(Answers.POOL));

    assertThat(run("status")).isZero();

    assertThat(out.toString())
        .containsPattern("RSA-2048 +12 of 1000 +100 of 200")
        .contains("3 of at most 150 requests wait");
  }

  @Test
  void theTokenIsShownWithEachRequest(@TempDir Path directory) throws Exception {
    Path token = Files.writeString(directory.resolve("token"), "s3cret\n");
    service.when("GET /pool", _ -> Answer.json(Answers.POOL));

    assertThat(run("status", "--token-file", token.toString())).isZero();
    assertThat(service.headers("Authorization")).containsExactly("Bearer s3cret");
  }

  @Test
  void statusSaysThatTimesAreSimulated() {
    service.when(
        "GET /pool",
        _ ->
            Answer.json(
                "{\"mode\":\"pooled\",\"pools\":[],\"queue\":null,\"simulatedProfile\":\"slow\"}"));

    assertThat(run("status")).isZero();

    assertThat(out.toString()).contains("HSM times are simulated: slow");
  }

  @Test
  void aPortWithoutTlsIsToldInASentence() throws IOException {
    try (RawPort port = RawPort.withoutTls()) {
      int code =
          KeywellCommand.commandLine()
              .setErr(new PrintWriter(err, true))
              .execute("status", "--url", port.uri().toString());
      assertThat(code).isEqualTo(1);
    }
    assertThat(err.toString())
        .startsWith("keywell: no TLS connection to https://127.0.0.1:")
        .contains("speaks no TLS at this port: the address begins with http://")
        .hasLineCount(1);
  }

  @Test
  void aPortWithTlsIsToldInASentence() {
    service.when(
        "GET /pool",
        _ ->
            new Answer(
                400,
                "text/plain",
                "Bad Request\r\nThis combination of host and port requires TLS.\r\n"
                    .getBytes(US_ASCII)));

    assertThat(run("status")).isEqualTo(1);
    assertThat(err.toString())
        .startsWith("keywell: http://127.0.0.1:")
        .contains("begin the address with https://")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "status now; unexpected argument 'now'",
        "status --fast; unknown option '--fast'",
        "wait-for-keys many; N 'many' is no whole number",
        "wait-for-keys; N is missing",
        "wait-for-keys 5 --timeout=soon; --timeout 'soon' is no whole number"
      })
  void aMistakeIsToldByTheNameOfItsOption(String arguments, String told) {
    assertThat(run(arguments.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString().strip()).isEqualTo("keywell: " + told + " (--help explains)");
  }

  @Test
  void statusForScriptsIsOneLinePerPool() {
    service.when("GET /pool", _ -> Answer.json(Answers.POOL));

    assertThat(run("status", "--porcelain")).isZero();

    assertThat(out.toString()).isEqualTo("RSA-2048 12 100\n");
  }

  @Test
  void chainIsPrintedAsItCame() {
    service.when("GET /ca/chain", _ -> new Answer(200, "application/x-pem-file", pem()));

    assertThat(run("chain")).isZero();

    assertThat(out.toString()).isEqualTo(new String(pem(), US_ASCII));
  }

  private static byte[] pem() {
    return "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n".getBytes(US_ASCII);
  }

  @Test
  void waitsUntilEnoughKeysAreThere() {
    AtomicInteger keys = new AtomicInteger();
    service.when("GET /pool", _ -> Answer.json(Answers.pool(keys.getAndIncrement(), 1)));

    assertThat(run("wait-for-keys", "4")).isZero();

    assertThat(keys).hasValue(4);
    assertThat(out.toString()).contains("RSA-2048 keys 4/4");
  }

  @Test
  void everyCommandExplainsItself() {
    for (String command : List.of("sign", "status", "wait-for-keys", "chain")) {
      assertThat(run(command, "--help")).isZero();
      assertThat(out.toString()).contains("keywell-cli " + command, "--url=URL");
    }
  }

  @Test
  void waitsForAServiceThatIsStillStarting() {
    AtomicInteger calls = new AtomicInteger();
    service.when(
        "GET /pool",
        _ ->
            calls.incrementAndGet() < 3
                ? Answer.problem(503, "{}")
                : Answer.json(Answers.pool(9, 0)));

    assertThat(run("wait-for-keys", "1")).isZero();
  }

  @Test
  void doesNotWaitForKeysThatAreNeverMadeAhead() {
    service.when(
        "GET /pool", _ -> Answer.json("{\"mode\":\"on-the-fly\",\"pools\":[],\"queue\":null}"));

    assertThat(run("wait-for-keys", "10")).isZero();
  }

  @Test
  void givesUpWhenTheServicesProcessHasEnded() throws Exception {
    Process ended = new ProcessBuilder("true").start();
    ended.waitFor();
    service.close();

    assertThat(run("wait-for-keys", "1", "--pid", Long.toString(ended.pid()))).isEqualTo(1);

    assertThat(err.toString()).isEqualTo("keywell: the service ended before it was ready\n");
  }

  @Test
  void givesUpAfterTheTimeout() {
    service.when("GET /pool", _ -> Answer.json(Answers.pool(0, 0)));

    assertThat(run("wait-for-keys", "1", "--timeout", "1")).isEqualTo(1);

    assertThat(err.toString()).contains("has not 1 RSA-2048 keys after 1 s");
  }
}
