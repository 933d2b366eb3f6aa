package org.keywell.loadgen;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The service's side of the HTTP contract with keys of the test's own; small enough to be wrong on
 * purpose.
 */
public final class StubService implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Base64.Encoder BASE64 = Base64.getEncoder();

  /** What to do with the request that arrives as the given one, from 1. */
  public enum Reaction {
    SIGN,
    SIGN_WRONGLY,
    REFUSE,
    FAIL,
    GARBAGE,
    HANG_UP
  }

  /** Decides what becomes of a request. */
  public interface Behaviour {
    Reaction to(int arrival) throws InterruptedException;
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final TestChain chain;
  private final AtomicInteger arrivals = new AtomicInteger();
  private volatile Behaviour behaviour = _ -> Reaction.SIGN;
  private final Queue<String> testIds = new ConcurrentLinkedQueue<>();
  private final ReentrantLock lane = new ReentrantLock(true);
  private volatile String simulatedProfile = "null";
  private volatile String mode = "pooled";
  private volatile int keys = 3_050;
  private volatile int loadedAtMost = 50;
  private volatile int goneKeys;

  private StubService(HttpServer server, TestChain chain) {
    this.server = server;
    this.chain = chain;
  }

  public static StubService start(TestChain chain) throws IOException {
    return start(chain, 0);
  }

  /** Listens at the given port. */
  public static StubService start(TestChain chain, int port) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    StubService stub = new StubService(server, chain);
    server.setExecutor(stub.threads);
    server.createContext("/sign", stub::sign);
    server.createContext(
        "/pool", exchange -> answer(exchange, 200, "application/json", stub.pool()));
    server.createContext(
        "/ca/chain", exchange -> answer(exchange, 200, "application/x-pem-file", chain.pem()));
    server.createContext("/readyz", exchange -> answer(exchange, 200, "text/plain", "ready"));
    server.start();
    return stub;
  }

  public void behave(Behaviour wanted) {
    behaviour = wanted;
  }

  public void simulate(String profile) {
    simulatedProfile = '"' + profile + '"';
  }

  /** Names the mode that it says it is in. */
  public void sayMode(String name) {
    mode = name;
  }

  /** Has the given number of keys, fewer by one with each request that comes. */
  public void hold(int wanted) {
    keys = wanted;
  }

  /** Has so many of its keys in the HSM at most. */
  public void load(int most) {
    loadedAtMost = most;
  }

  /** Says once that it has so many stored keys besides, which are gone. */
  public void lagBehind(int keysThatAreGone) {
    goneKeys = keysThatAreGone;
  }

  /** What experiments requests named, in the order in which they came. */
  public List<String> testIds() {
    return List.copyOf(testIds);
  }

  /** How many requests named the given experiment. */
  public long requestsOf(String testId) {
    return testIds.stream().filter(testId::equals).count();
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private String pool() {
    int used = arrivals.get();
    int left = Math.max(0, keys - used);
    int loaded = Math.min(loadedAtMost, left);
    int stored = left - loaded + goneKeys;
    goneKeys = 0;
    return """
    {"mode":"%s","queue":{"length":2,"limit":150},"orphanedKeys":0,"simulatedProfile":%s,
     "pools":[{"keySpec":"RSA-2048","stored":%d,"loaded":%d,"maxStored":20000,
       "loadedCapacity":200,"lowWater":50,"generated":0,"used":%d}]}
    """
        .formatted(mode, simulatedProfile, stored, loaded, used);
  }

  private void sign(HttpExchange exchange) throws IOException {
    JsonNode request = JSON.readTree(exchange.getRequestBody().readAllBytes());
    testIds.add(
        Objects.requireNonNullElse(exchange.getRequestHeaders().getFirst("Keywell-Test-Id"), ""));
    try {
      switch (behaviour.to(arrivals.incrementAndGet())) {
        case SIGN -> answer(exchange, 200, "application/json", signed(request, false));
        case SIGN_WRONGLY -> answer(exchange, 200, "application/json", signed(request, true));
        case REFUSE -> problem(exchange, 503, "queue-full");
        case FAIL -> problem(exchange, 504, "deadline");
        case GARBAGE -> answer(exchange, 200, "application/json", "{\"hello\":1}");
        case HANG_UP -> exchange.close();
      }
    } catch (Exception e) {
      throw new IOException("the stub failed", e);
    }
  }

  private String signed(JsonNode request, boolean wrongly) throws Exception {
    byte[] digest = Base64.getDecoder().decode(request.get("digest").asString());
    if (wrongly) {
      digest[0] ^= 1;
    }
    TestChain.Signed signed;
    // One request at a time, in order, as the service does it.
    lane.lock();
    try {
      signed = chain.sign(digest);
    } finally {
      lane.unlock();
    }
    return """
    {"requestId":"6f2f7c1e-9f0f-4c7c-8f5b-0f3f5c9d7a11","signature":"%s",
     "signatureAlgorithm":"ECDSA","certificateChain":["%s","%s"],"preGeneratedKeyPair":true,
     "timestamps":{"requestReceived":"2026-01-02T03:04:05.000100Z",
       "requestStartToProcess":"2026-01-02T03:04:05.000200Z",
       "requestGotKeyPair":"2026-01-02T03:04:05.000300Z",
       "signed":"2026-01-02T03:04:05.001300Z","certified":"2026-01-02T03:04:05.003300Z",
       "keyDestroyed":"2026-01-02T03:04:05.003400Z",
       "requestFinished":"2026-01-02T03:04:05.004600Z"},
     "waitingTimeMicros":100,"processTimeMicros":4400}
    """
        .formatted(
            BASE64.encodeToString(signed.signature()),
            BASE64.encodeToString(signed.certificateDer()),
            BASE64.encodeToString(chain.rootDer()));
  }

  private static void problem(HttpExchange exchange, int status, String name) throws IOException {
    String body = "{\"type\":\"urn:keywell:problem:%s\",\"status\":%d}".formatted(name, status);
    answer(exchange, status, "application/problem+json", body);
  }

  private static void answer(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange
          .getResponseHeaders()
          .set("Server-Timing", "accept;dur=0.060, wait;dur=0.100, record;dur=0.500");
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
