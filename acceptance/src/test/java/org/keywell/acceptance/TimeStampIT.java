package org.keywell.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.RunningKeywell;
import org.keywell.acceptance.running.Settings;
import org.keywell.acceptance.running.Site;
import org.keywell.ca.token.PemCertificates;
import org.keywell.cli.KeywellCommand;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.service.launch.KeywellApplication;
import org.keywell.testkit.Await;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.TimeServer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Time stamps of the service, asked for and verified by openssl, while its clock is moved. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(280)
final class TimeStampIT {

  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final int KEYS = 2;
  private static final String POLICY = "1.3.6.1.4.1.99999.7";
  private static final AtomicReference<Duration> MOVED = new AtomicReference<>(Duration.ZERO);

  /** The machine's clock, as somebody sets it. */
  @Configuration(proxyBeanMethods = false)
  static class MovedClock {
    @Bean
    @Primary
    InstantSource movedClock() {
      return () -> Instant.now().plus(MOVED.get());
    }
  }

  private Path home;
  private Path files;
  private final HttpClient client = HttpClient.newHttpClient();
  private OpenSsl openssl;
  private Site site;
  private RunningKeywell keywell;

  @BeforeAll
  void start(@TempDir Path ofService, @TempDir Path ofOpenssl) throws Exception {
    home = ofService;
    files = ofOpenssl;
    openssl = new OpenSsl(files);
    site = Site.create(home);
    site.stock(SPEC, KEYS);
    Files.writeString(files.resolve("document"), "a document");
    keywell =
        RunningKeywell.start(
            site.settings(
                Settings.pool(SPEC, KEYS),
                Map.of(
                    "keywell.log.origin",
                    "test.example/log",
                    "keywell.tsa.enabled",
                    "true",
                    "keywell.tsa.policy",
                    POLICY)));
    keywell.awaitLoaded(SPEC, KEYS);
    List<X509Certificate> chain = PemCertificates.read(get(keywell, "/tsa/chain").body());
    openssl.write("root.pem", PemCertificates.write(List.of(chain.getLast())));
    openssl.write("chain.pem", PemCertificates.write(chain));
  }

  @AfterAll
  void stop() throws Exception {
    keywell.close();
    site.close();
  }

  @BeforeEach
  void query() throws Exception {
    openssl.run("ts", "-query", "-data", "document", "-sha256", "-cert", "-out", "query");
  }

  private static URI uri(RunningKeywell service, String path) {
    return URI.create("http://127.0.0.1:" + service.port() + path);
  }

  private HttpResponse<String> get(RunningKeywell service, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(service, path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<byte[]> ask(RunningKeywell service, String type, byte[] body)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(service, "/tsa"))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofByteArray());
  }

  private String answered(RunningKeywell service) throws Exception {
    HttpResponse<byte[]> answer =
        ask(service, "application/timestamp-query", Files.readAllBytes(files.resolve("query")));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/timestamp-reply");
    Files.write(files.resolve("answer"), answer.body());
    return openssl.run("ts", "-reply", "-in", "answer", "-text");
  }

  @Test
  void theUnitsKeyIsAccountedFor() throws Exception {
    Await.until(
        "the token has been looked through",
        () -> site.sql().count("SELECT count(*) FROM key_report WHERE part LIKE 'stray%'") == 1);

    assertThat(site.sql().texts("SELECT part FROM key_report WHERE expected <> found")).isEmpty();
  }

  @Test
  void opensslVerifiesATimeStampAndTheLogHasIt() throws Exception {
    String text = answered(keywell);

    assertThat(text).contains("Status: Granted.", "Policy OID: " + POLICY, "Accuracy: 0x01 s");
    assertThat(
            openssl.run(
                "ts", "-verify", "-in", "answer", "-queryfile", "query", "-CAfile", "root.pem"))
        .contains("Verification: OK");
    String serial =
        text.lines()
            .filter(line -> line.startsWith("Serial number: 0x"))
            .findFirst()
            .orElseThrow()
            .substring("Serial number: 0x".length());
    JsonNode entry = entry(serial);
    assertThat(entry.path("digest").asString())
        .isEqualTo(openssl.run("dgst", "-sha256", "-r", "document").substring(0, 64));
    assertThat(entry.path("caller").asString()).isEqualTo("loopback");
    assertThat(keywell.scrape().value("keywell_time_stamps_total", "result", "granted"))
        .isPositive();
  }

  private JsonNode entry(String serial) throws Exception {
    String sql =
        "SELECT entry FROM (SELECT entry FROM log_entry UNION ALL SELECT entry FROM log_pending)"
            + " AS entries WHERE convert_from(entry, 'UTF8') LIKE '%\"serial\":\""
            + serial.toLowerCase(Locale.ROOT)
            + "\"%'";
    List<byte[]> found = site.sql().bytes(sql);
    assertThat(found).hasSize(1);
    return JsonMapper.shared().readTree(found.getFirst());
  }

  @Test
  void theUnitIsInTheTokenAndItsCertificateIsTheCas() throws Exception {
    assertThat(
            openssl.run(
                "verify",
                "-x509_strict",
                "-purpose",
                "timestampsign",
                "-CAfile",
                "root.pem",
                "-untrusted",
                "chain.pem",
                "chain.pem"))
        .contains("chain.pem: OK");
    assertThat(get(keywell, "/ca/chain").body())
        .contains(Files.readString(files.resolve("root.pem")));
  }

  @Test
  void documentsGetThemWithoutAskingUnlessTheyAreNotWanted() throws Exception {
    Path pdf = Files.copy(Path.of("../launcher/demo.pdf"), files.resolve("contract.pdf"));

    assertThat(signed(pdf)).contains("EU DSS says TOTAL_PASSED: PAdES-BASELINE-T");
    assertThat(signed(pdf, "--force", "--tsa=none"))
        .contains("EU DSS says TOTAL_PASSED: PAdES-BASELINE-B");
  }

  private String signed(Path file, String... options) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all =
        new ArrayList<>(
            List.of(
                "sign",
                file.toString(),
                "--pades",
                "--key-spec=" + SPEC.label(),
                "--signature-algorithm=ECDSA",
                "--url=http://127.0.0.1:" + keywell.port()));
    all.addAll(List.of(options));
    int code =
        KeywellCommand.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    assertThat(code).as(err.toString()).isZero();
    return out.toString();
  }

  /** A second service, on a clock that the test sets. */
  private RunningKeywell moved(Site other, Map<String, String> more) {
    MOVED.set(Duration.ZERO);
    Map<String, String> settings = new HashMap<>(more);
    settings.put("keywell.tsa.enabled", "true");
    return RunningKeywell.start(
        other.settings(settings), KeywellApplication.class, MovedClock.class);
  }

  private Site other(String name) throws Exception {
    return Site.create(Files.createDirectory(home.resolve(name)));
  }

  /** Nobody tells when the machine's clock is right again, since no time server is set. */
  @Test
  void aClockThatIsSetMakesNoTimeStamps() throws Exception {
    try (Site other = other("moved");
        RunningKeywell service = moved(other, Map.of())) {
      assertThat(answered(service)).contains("Status: Granted.");
      MOVED.set(Duration.ofSeconds(-2));
      assertThat(answered(service))
          .contains("Status: Rejected.", "the TSA's time source is not available");
      MOVED.set(Duration.ZERO);
      assertThat(answered(service)).contains("Status: Rejected.");
      assertThat(service.scrape().value("keywell_clock_trusted")).isZero();
    }
  }

  @Test
  void aTimeServerConfirmsTheClockAgain(@TempDir Path first, @TempDir Path second)
      throws Exception {
    int port = freePort();
    try (Site other = other("confirmed");
        TimeServer server = TimeServer.start(first, port);
        RunningKeywell service =
            moved(
                other,
                Map.of(
                    "keywell.tsa.time-servers",
                    "127.0.0.1:" + port,
                    "keywell.tsa.time-servers-every",
                    "1s"))) {
      Await.until("it is confirmed", () -> isGranted(service));
      assertThat(Math.abs(service.scrape().value("keywell_clock_offset_seconds"))).isLessThan(0.25);

      MOVED.set(Duration.ofSeconds(2));
      assertThat(answered(service)).contains("Status: Rejected.");
      Await.until(
          "the server contradicts",
          () -> service.scrape().value("keywell_clock_offset_seconds") < -1.5);
      assertThat(answered(service)).contains("Status: Rejected.");
      MOVED.set(Duration.ZERO);
      Await.until("it is confirmed again", () -> isGranted(service));

      server.stop();
      Await.until("nobody confirms it", () -> !isGranted(service));
      try (TimeServer _ = TimeServer.start(second, port)) {
        Await.until("somebody does", () -> isGranted(service));
      }
    }
  }

  private boolean isGranted(RunningKeywell service) throws Exception {
    return answered(service).contains("Status: Granted.");
  }

  private static int freePort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void whatIsNoRequestIsRefused() throws Exception {
    byte[] query = Files.readAllBytes(files.resolve("query"));
    for (String wrong : List.of("text/plain", "application/timestamp-query;charset=utf-16")) {
      assertThat(ask(keywell, wrong, query))
          .satisfies(
              answer -> assertThat(answer.statusCode()).isEqualTo(415),
              answer ->
                  assertThat(new String(answer.body(), StandardCharsets.UTF_8))
                      .contains("Content-Type must be application/timestamp-query"));
    }
    assertThat(ask(keywell, "application/timestamp-query", new byte[5_000]).statusCode())
        .isEqualTo(413);
    HttpResponse<byte[]> broken =
        ask(keywell, "application/timestamp-query", Arrays.copyOf(query, 20));
    Files.write(files.resolve("answer"), broken.body());
    assertThat(openssl.run("ts", "-reply", "-in", "answer", "-text"))
        .contains("Status: Rejected.", "the data submitted has the wrong format");
  }

  @Test
  void withoutAnAuthorityThereIsNone() throws Exception {
    try (Site other = other("none");
        RunningKeywell without = RunningKeywell.start(other.settings())) {
      HttpResponse<String> chain = get(without, "/tsa/chain");
      assertThat(chain.statusCode()).isEqualTo(404);
      assertThat(chain.body()).contains("keywell.tsa.enabled");
    }
  }
}
