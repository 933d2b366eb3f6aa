package org.keywell.testkit;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A witness of another maker for transparency logs, litewitness of torchwood, with a new key.
 * {@code ./keywell test --lint} builds it. For one thread at a time.
 */
public final class Litewitness implements AutoCloseable {

  private static final int KEY_BYTES = 32;
  private static final int PATIENCE_SECONDS = 30;

  /** What {@code witnessctl} writes to register a log. */
  private static final String REGISTER =
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1], timeout=20)
      database.execute("INSERT INTO log VALUES (?, 0, ?)", (sys.argv[2], sys.argv[3]))
      database.execute("INSERT INTO key VALUES (?, ?)", (sys.argv[2], sys.argv[4]))
      database.commit()
      """;

  private final Path directory;
  private final List<Process> processes = new ArrayList<>();
  private final String database;
  private final URI prefix;
  private final byte[] publicKey;

  /**
   * Starts one.
   *
   * @param name the witness's
   * @param directory for its files; short, as a socket is in it
   */
  public Litewitness(String name, Path directory) throws IOException, InterruptedException {
    this.directory = directory;
    this.database = directory.resolve("witness.db").toString();
    int port = FreePort.find();
    this.prefix = URI.create("http://127.0.0.1:" + port);
    String socket = directory.resolve("agent").toString();
    begin("ssh-agent", "-D", "-a", socket);
    String key = directory.resolve("key").toString();
    finish("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key);
    Await.until("the agent listens", () -> Files.exists(directory.resolve("agent")));
    finish("ssh-add", "-q", key);
    byte[] blob =
        Base64.getDecoder()
            .decode(Files.readString(directory.resolve("key.pub")).split(" ", -1)[1]);
    this.publicKey = Arrays.copyOfRange(blob, blob.length - KEY_BYTES, blob.length);
    String fingerprint = finish("ssh-keygen", "-lf", key + ".pub").split(" ", -1)[1];
    begin(
        Path.of(Objects.requireNonNull(System.getenv("KEYWELL_TEST_LINTERS")), "bin", "litewitness")
            .toString(),
        "-name",
        name,
        "-key",
        fingerprint,
        "-ssh-agent",
        socket,
        "-db",
        database,
        "-listen",
        "127.0.0.1:" + port);
    try (HttpClient http = HttpClient.newHttpClient()) {
      Await.until("the witness answers", () -> answers(http));
    }
  }

  private boolean answers(HttpClient http) throws IOException, InterruptedException {
    try {
      return http.send(
                  HttpRequest.newBuilder(prefix.resolve("/")).build(), BodyHandlers.discarding())
              .statusCode()
          > 0;
    } catch (ConnectException e) {
      return false;
    }
  }

  /** Returns its address, to which {@code /add-checkpoint} is appended. */
  public URI prefix() {
    return prefix;
  }

  /** Returns the 32 bytes of its Ed25519 key. */
  public byte[] publicKey() {
    return publicKey.clone();
  }

  /**
   * Makes it witness a log.
   *
   * @param emptyRoot the root of the tree without entries, in base64
   * @param verifierKey of the log: Ed25519
   */
  public void register(String origin, String emptyRoot, String verifierKey)
      throws IOException, InterruptedException {
    finish("python3", "-c", REGISTER, database, origin, emptyRoot, verifierKey);
  }

  private void begin(String... command) throws IOException {
    processes.addFirst(process(command).start());
  }

  /** Returns what it wrote. */
  private String finish(String... command) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process process = process(command).redirectOutput(output.toFile()).start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(command[0] + " failed: " + Files.readString(output));
    }
    return Files.readString(output);
  }

  private ProcessBuilder process(String... command) {
    ProcessBuilder process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log-" + processes.size()).toFile());
    process.environment().put("SSH_AUTH_SOCK", directory.resolve("agent").toString());
    return process;
  }

  @Override
  public void close() throws IOException {
    processes.forEach(Process::destroy);
    try {
      for (Process process : processes) {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          throw new IOException(process.info() + " does not end");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
