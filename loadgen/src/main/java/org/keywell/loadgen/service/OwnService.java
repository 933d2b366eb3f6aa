package org.keywell.loadgen.service;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.keywell.client.KeywellClient;
import org.keywell.client.PoolStatus;

/** A service that belongs only to this process and ends when it is closed. */
public final class OwnService implements AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

  /** Exit code of a service that refuses to start; its last line says why. */
  private static final int REFUSED = 2;

  private static final int OK = 200;
  private static final int LINES_SHOWN = 30;

  private final ChildProcess process;
  private final int port;
  private final @Nullable SSLContext tls;
  private final Path log;
  private final PrintWriter err;
  private volatile String progress = "the service is starting";

  OwnService(ChildProcess process, int port, @Nullable SSLContext tls, Path log, PrintWriter err) {
    this.process = process;
    this.port = port;
    this.tls = tls;
    this.log = log;
    this.err = err;
  }

  public URI url() {
    return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + port);
  }

  public int port() {
    return port;
  }

  /** Returns a new client of it, which has as long for each answer. */
  public KeywellClient client(Duration limit) {
    return new KeywellClient(url(), limit, tls);
  }

  /** Returns the address of its metrics. */
  public URI metrics() {
    return management("prometheus");
  }

  private URI management(String what) {
    return URI.create("http://127.0.0.1:" + (port + 1) + "/actuator/" + what);
  }

  public long pid() {
    return process.pid();
  }

  /** Returns the file with all its output. */
  public Path log() {
    return log;
  }

  /** Returns the progress of {@link #awaitKeys}, in a line. */
  public String progress() {
    return progress;
  }

  /** Which keys to wait for. */
  public enum Tier {
    /** Any, wherever they are. */
    EITHER,
    /** Those in the HSM, ready to sign. */
    LOADED
  }

  /**
   * Waits until it is ready and has this many keys; a service that generates a key for each request
   * need only be ready.
   *
   * @throws IOException if it ends first, or takes longer than {@code limit}; the message says what
   *     happened, and the end of its log was shown unless it refused to start
   */
  public void awaitKeys(int keys, String keySpec, Tier tier, Duration limit)
      throws IOException, InterruptedException {
    await(
        client -> has(client, keys, keySpec, tier),
        "has not %d %s keys".formatted(keys, keySpec),
        limit);
  }

  /**
   * Waits until nothing is left to load: each kind has its low-water number of keys loaded, or all
   * there are. A service that generates a key for each request loads none.
   *
   * @throws IOException as {@link #awaitKeys}
   */
  public void awaitAllLoaded(Duration limit) throws IOException, InterruptedException {
    await(OwnService::hasAllLoaded, "has not loaded its keys", limit);
  }

  /**
   * Waits until it is ready, as the management port says: the service's own may have TLS.
   *
   * @throws IOException as {@link #awaitKeys}
   */
  public void awaitReady(Duration limit) throws IOException, InterruptedException {
    HttpRequest question =
        HttpRequest.newBuilder(management("health/readiness")).timeout(ANSWER_WITHIN).build();
    try (HttpClient management = HttpClient.newHttpClient()) {
      await(_ -> isUp(management, question), "is not ready", limit);
    }
  }

  private static boolean isUp(HttpClient management, HttpRequest question)
      throws InterruptedException {
    try {
      return management.send(question, BodyHandlers.discarding()).statusCode() == OK;
    } catch (IOException e) {
      return false;
    }
  }

  /** A condition that a service is expected to meet. */
  private interface Condition {
    boolean holds(KeywellClient client) throws IOException, InterruptedException;
  }

  private void await(Condition condition, String missing, Duration limit)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    try (KeywellClient client = client(ANSWER_WITHIN)) {
      while (!condition.holds(client)) {
        if (!process.isAlive()) {
          throw failure("the start");
        }
        if (System.nanoTime() - began > limit.toNanos()) {
          showEndOfLog();
          throw new IOException(
              "%s %s after %d s; the service's whole log is %s"
                  .formatted(url(), missing, limit.toSeconds(), log));
        }
        Thread.sleep(LOOK_EVERY);
      }
    }
  }

  /** Each check is independent: the number of stored keys may lag a second behind. */
  private static boolean hasAllLoaded(KeywellClient client)
      throws IOException, InterruptedException {
    Optional<PoolStatus> pool = client.poolOnceUp();
    return pool.isPresent()
        && (!pool.get().isPooled()
            || pool.get().pools().stream()
                .allMatch(kind -> kind.loaded() >= Math.min(kind.lowWater(), kind.depth())));
  }

  private boolean has(KeywellClient client, int keys, String keySpec, Tier tier)
      throws IOException, InterruptedException {
    Optional<PoolStatus> pool = client.poolOnceUp();
    if (pool.isEmpty()) {
      return false;
    }
    PoolStatus status = pool.get();
    int there = tier == Tier.LOADED ? status.loaded(keySpec) : status.depth(keySpec);
    if (status.isPooled()) {
      progress =
          "%s%s keys %d/%d"
              .formatted(
                  tier == Tier.LOADED ? "loaded " : "", keySpec, Math.min(there, keys), keys);
    }
    return (there >= keys || !status.isPooled()) && client.isReady();
  }

  /**
   * Returns what to report for a failure: if the service has ended, that it did, and why.
   *
   * @param what failed
   */
  public IOException explain(IOException failure, String what)
      throws IOException, InterruptedException {
    return process.isAlive() ? failure : failure(what);
  }

  private IOException failure(String what) throws IOException, InterruptedException {
    if (process.awaitEnd() == REFUSED) {
      return new IOException("the service did not start: " + lastLine());
    }
    showEndOfLog();
    return new IOException(what + " failed; the service's whole log is " + log);
  }

  private String lastLine() throws IOException {
    return lines().stream().filter(line -> !line.isBlank()).reduce((_, last) -> last).orElse("");
  }

  private void showEndOfLog() throws IOException {
    List<String> lines = lines();
    err.println("--- the end of " + log);
    lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()).forEach(err::println);
    err.println("---");
    err.flush();
  }

  /** Accepts any encoding. */
  private List<String> lines() throws IOException {
    return Files.readAllLines(log, StandardCharsets.ISO_8859_1);
  }

  /** Ends it in order, which takes as long as the requests that it has accepted. */
  @Override
  public void close() {
    process.close();
  }
}
