package org.keywell.acceptance.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.acceptance.running.Footprint;
import org.keywell.acceptance.running.HttpApi;
import org.keywell.acceptance.running.KeywellProcess;
import org.keywell.acceptance.running.SignBody;
import org.keywell.acceptance.running.Site;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Await;
import org.keywell.testkit.RawHttp;

/**
 * One attack after the other on one service. While each goes on, an ordinary caller gets its
 * signatures; after all of them the service lives and holds no more memory or files than before.
 */
@Tag("attack")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AttackIT {

  private static final String HOST = "Host: 127.0.0.1";
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final KeySpec SPEC = KeySpec.EC_P256;
  private static final SignBody GOOD = SignBody.of("document").keySpec(SPEC);

  /** How long the ordinary caller may wait for one signature on a machine that is under attack. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** Few, so that a key which was brought back has its turn soon. */
  private static final int LOADED = 20;

  private Site site;
  private KeywellProcess keywell;
  private HttpApi http;
  private int service;
  private int management;
  private OrdinaryCaller ordinary;
  private long heapMebibytes;
  private long files;

  @BeforeAll
  void start(@TempDir Path home) throws Exception {
    site = Site.create(home);
    keywell =
        KeywellProcess.startJar(
            List.of("-Xmx400m", "-XX:+ExitOnOutOfMemoryError"),
            site.settings(
                Map.of(
                    "keywell.pool.when-empty",
                    "generate",
                    "keywell.pool.specs.EC-P256.max-stored",
                    "2000",
                    "keywell.pool.specs.EC-P256.loaded-capacity",
                    Integer.toString(LOADED),
                    "keywell.pool.specs.EC-P256.low-water",
                    Integer.toString(LOADED))),
            home.resolve("serve.log"));
    http = keywell.awaitReady();
    service = http.base().getPort();
    management = keywell.management().base().getPort();
    for (int i = 0; i < 200; i++) {
      assertThat(http.sign(GOOD).status()).as("warm-up").isEqualTo(200);
    }
    heapMebibytes = Footprint.liveHeapMebibytes(keywell);
    files = Footprint.openFiles(keywell);
  }

  @AfterAll
  void memoryComesBack() throws Exception {
    try {
      assertThat(keywell.isAlive()).as(keywell.log()).isTrue();
      Await.until(
          "files are closed: " + files + " were open before",
          () -> Footprint.openFiles(keywell) <= files + 30);
      assertThat(Footprint.liveHeapMebibytes(keywell))
          .as("MiB that live in the heap; %s before the attacks", heapMebibytes)
          .isLessThan(heapMebibytes + 40);
      assertThat(keywell.log()).doesNotContain("OutOfMemoryError");
    } finally {
      keywell.close();
      site.close();
    }
  }

  @BeforeEach
  void ordinaryCallerComes() throws Exception {
    ordinary = OrdinaryCaller.start(http);
    Await.until("the ordinary caller is served", () -> ordinary.signed() >= 2);
  }

  @AfterEach
  void ordinaryCallerWasServed() throws Exception {
    int before = ordinary.signed();
    Await.until("the ordinary caller is served again", () -> ordinary.signed() >= before + 5);
    ordinary.leave();
    assertThat(ordinary.failures()).isEmpty();
    assertThat(ordinary.longest()).as("the longest wait").isLessThan(PATIENCE);
    assertThat(keywell.management().get("/actuator/health/liveness").status()).isEqualTo(200);
    assertThat(keywell.management().get("/actuator/health/readiness").status()).isEqualTo(200);
  }

  @Test
  void formBodiesOf800KilobytesByEveryMethod() throws Exception {
    String body = "a=" + "x".repeat(800_000);
    List<Callable<Integer>> calls = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      String method = List.of("PUT", "PATCH", "DELETE", "POST").get(i % 4);
      int target = i < 400 ? service : management;
      calls.add(() -> exchange(target, request(method, "/pool", FORM, body)).status());
    }
    assertThat(all(calls, calls.size()))
        .allMatch(status -> (status >= 400 && status < 500) || status == 0);
  }

  @Test
  void partsOf9MegabytesAndPartsWithoutABoundary() throws Exception {
    String part = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n";
    String body = part + "x".repeat(9_000_000) + "\r\n--b--\r\n";
    List<Callable<Integer>> calls = new ArrayList<>();
    for (int target : List.of(service, management)) {
      for (String method : List.of("GET", "POST", "PUT")) {
        calls.add(() ->
            exchange(target, request(method, "/pool", "multipart/form-data; boundary=b", body))
                .status());
        calls.add(
            () -> exchange(target, request(method, "/pool", "multipart/form-data", part)).status());
      }
    }
    assertThat(all(calls, 6)).allMatch(status -> status < 500);
  }

  @Test
  void aPageAtAReboundNameNeitherSignsNorReads() throws Exception {
    UUID id = UUID.randomUUID();
    String sign = GOOD.requestId(id).json();
    for (int target : List.of(service, management)) {
      for (String path : List.of("/pool", "/console", "/console/events", "/actuator/prometheus")) {
        RawHttp.Answer answer = exchange(target, get(path, "Host: evil.example"));
        assertThat(answer.status()).as(path).isBetween(400, 499);
        assertThat(answer.body()).doesNotContain("keywell_", "RSA-2048");
      }
    }
    for (String header :
        List.of(
            "Host: evil.example",
            "Host: evil.example:8420",
            HOST + "\r\nOrigin: http://evil.example",
            HOST + "\r\nOrigin: null",
            HOST + "\r\nSec-Fetch-Site: cross-site")) {
      RawHttp.Answer answer =
          exchange(service, request("POST", "/sign", "application/json", sign, header));
      assertThat(answer.status()).as(header).isBetween(400, 499);
    }
    assertThat(http.result(id).status()).as("nothing is on record").isEqualTo(404);
    assertThat(exchange(service, request("POST", "/sign", "application/json", sign)).status())
        .as("the control")
        .isEqualTo(200);
  }

  @Test
  void requestsThatNoClientSends() throws Exception {
    for (int target : List.of(service, management)) {
      for (String request :
          List.of(
              "GET /pool\r\n\r\n",
              get("/error", HOST),
              request("TRACE", "/pool", "text/plain", ""),
              "GET /pool HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n",
              "POST /sign HTTP/1.1\r\n" + HOST + "\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
              get("/%c0%af", HOST),
              get("/a%00b", HOST),
              "NONSENSE\r\n\r\n",
              "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\n" + HOST + "\r\n\r\n")) {
        RawHttp.Answer answer = exchange(target, request);
        assertThat(answer.status())
            .as(answer.toString())
            .isIn(0, 400, 403, 404, 405, 406, 414, 415, 421, 431);
        assertThat(answer.toString().toLowerCase(Locale.ROOT))
            .doesNotContain("<html", "tomcat", "exception", "org.keywell");
      }
    }
  }

  @Test
  void anAnswerThatTheCallerWouldNotTakeIsNotSigned() throws Exception {
    UUID id = UUID.randomUUID();
    RawHttp.Answer answer =
        exchange(
            service,
            request(
                "POST",
                "/sign",
                "application/json",
                GOOD.requestId(id).json(),
                HOST + "\r\nAccept: application/xml"));
    assertThat(answer.status()).isEqualTo(406);
    assertThat(http.result(id).status()).as("nothing is on record").isEqualTo(404);
  }

  @Test
  void eightHundredConnectionsThatReadThePool() throws Exception {
    long began = System.nanoTime();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpApi reader = new HttpApi(client, http.base());
      Callable<Integer> read =
          () -> {
            int status = 0;
            while (System.nanoTime() - began < Duration.ofSeconds(10).toNanos()) {
              try {
                status = reader.get("/pool").status();
              } catch (IOException e) {
                status = 0;
              }
            }
            return status;
          };
      assertThat(all(Collections.nCopies(800, read), 800)).isSubsetOf(0, 200, 503);
    }
  }

  @Test
  void namesThatLookLikeOthers() throws Exception {
    for (String name :
        List.of("\u200b\u200b", "\u3164", "Astrid\u00adExempel", " Astrid", "A\u0301strid")) {
      assertThat(http.sign(GOOD.signer("commonName", name)).status()).as(name).isEqualTo(400);
    }
    for (String number : List.of("PNOXX-1", "PNOSE-1 2", "PNOSE- ")) {
      assertThat(http.sign(GOOD.signer("serialNumber", number)).status()).as(number).isEqualTo(400);
    }
  }

  @Test
  void theConsoleTellsNoRequestId() throws Exception {
    UUID id = UUID.randomUUID();
    assertThat(http.sign(GOOD.requestId(id)).status()).isEqualTo(200);
    StringBuilder seen = new StringBuilder();
    try (var client = HttpClient.newHttpClient()) {
      HttpResponse<InputStream> events =
          client.send(
              http.request("/console/events").build(), HttpResponse.BodyHandlers.ofInputStream());
      byte[] buffer = new byte[8192];
      long began = System.nanoTime();
      try (var stream = events.body()) {
        while (System.nanoTime() - began < Duration.ofSeconds(5).toNanos()) {
          int n = stream.read(buffer);
          assertThat(n).isPositive();
          seen.append(new String(buffer, 0, n, StandardCharsets.UTF_8));
        }
      }
    }
    assertThat(seen.toString()).contains(id.toString().substring(0, 8));
    assertThat(seen.toString()).doesNotContain(id.toString());
  }

  /** With write access to the database. */
  @Test
  void usedKeysBroughtBackInEveryEncoding() throws Exception {
    BroughtBackKeys keys = BroughtBackKeys.stillStored(site.sql(), 20);
    // Each look takes a key, so that the loader goes on.
    Await.until("they are taken out of the store", () -> asked() && keys.stored() == 0);
    signSome();
    keys.insert();
    Await.until("the copies are taken out of the store", () -> asked() && keys.stored() == 0);
    signSome();
    BroughtBackKeys.assertNoPointSignedTwice(site.sql());
  }

  private boolean asked() throws Exception {
    return http.sign(GOOD).status() > 0;
  }

  private void signSome() throws Exception {
    for (int i = 0; i < 2 * LOADED; i++) {
      http.sign(GOOD);
    }
  }

  private static String get(String path, String headers) {
    return "GET %s HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n".formatted(path, headers);
  }

  private static String request(String method, String path, String type, String body) {
    return request(method, path, type, body, HOST);
  }

  private static String request(
      String method, String path, String type, String body, String headers) {
    return "%s %s HTTP/1.1\r\n%s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
        .formatted(method, path, headers, type, body.getBytes(StandardCharsets.UTF_8).length, body);
  }

  /** What came back before the connection was closed, which may be nothing. */
  private static RawHttp.Answer exchange(int port, String request) {
    try {
      return RawHttp.send(port, request);
    } catch (IOException e) {
      // Refused before all was sent.
      return new RawHttp.Answer("", "");
    }
  }

  private static List<Integer> all(List<Callable<Integer>> calls, int atATime) throws Exception {
    try (ExecutorService threads =
        Executors.newFixedThreadPool(atATime, Thread.ofVirtual().factory())) {
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> call : threads.invokeAll(calls)) {
        statuses.add(call.get());
      }
      return statuses;
    }
  }
}
