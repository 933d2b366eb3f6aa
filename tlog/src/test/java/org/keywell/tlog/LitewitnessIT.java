package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A witness of another maker, litewitness of torchwood, cosigns this module's checkpoints and
 * refuses what does not continue them. {@code ./keywell test --lint} sets it up.
 */
@Tag("lint")
@Timeout(120)
final class LitewitnessIT {

  private static final String ORIGIN = "log.example/keys";
  private static final String NAME = "witness.example/lite";
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  /** What {@code witnessctl} writes to register a log. */
  private static final String REGISTER =
      """
      import sqlite3, sys
      database = sqlite3.connect(sys.argv[1], timeout=20)
      database.execute("INSERT INTO log VALUES (?, 0, ?)", (sys.argv[2], sys.argv[3]))
      database.execute("INSERT INTO key VALUES (?, ?)", (sys.argv[2], sys.argv[4]))
      database.commit()
      """;

  @TempDir private Path directory;

  private final Ed25519Signer log = Ed25519Signer.ofLog(ORIGIN);
  private final PlainTree plain = PlainTree.of(1_000);
  private final List<Process> processes = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private URI witness = URI.create("http://127.0.0.1/");
  private NoteKey witnessKey = log.key();

  LitewitnessIT() throws Exception {}

  @BeforeEach
  void start() throws Exception {
    String socket = directory.resolve("agent").toString();
    begin("ssh-agent", "-D", "-a", socket);
    String key = directory.resolve("key").toString();
    finish("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key);
    await(() -> Files.exists(directory.resolve("agent")));
    finish("ssh-add", "-q", key);
    byte[] blob =
        Base64.getDecoder()
            .decode(Files.readString(directory.resolve("key.pub")).split(" ", -1)[1]);
    witnessKey =
        new NoteKey(
            NAME,
            NoteKey.Type.COSIGNATURE_ED25519,
            Arrays.copyOfRange(blob, blob.length - 32, blob.length));
    String fingerprint = finish("ssh-keygen", "-lf", key + ".pub").split(" ", -1)[1];
    int port = freePort();
    witness = URI.create("http://127.0.0.1:" + port + "/add-checkpoint");
    String database = directory.resolve("witness.db").toString();
    String program =
        Path.of(Objects.requireNonNull(System.getenv("KEYWELL_TEST_LINTERS")), "bin", "litewitness")
            .toString();
    begin(
        program,
        "-name",
        NAME,
        "-key",
        fingerprint,
        "-ssh-agent",
        socket,
        "-db",
        database,
        "-listen",
        "127.0.0.1:" + port);
    await(this::answers);
    finish(
        "python3",
        "-c",
        REGISTER,
        database,
        ORIGIN,
        TreeHash.EMPTY_TREE.toString(),
        log.key().toString());
  }

  @AfterEach
  void stop() throws Exception {
    http.close();
    for (Process process : processes) {
      process.destroy();
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void cosignsAGrowingLogAndNoOther() throws Exception {
    SignedNote first = checkpoint(17);
    cosigned(first, offer(0, 17));
    cosigned(checkpoint(1_000), offer(17, 1_000));
    cosigned(checkpoint(1_000), offer(1_000, 1_000));

    HttpResponse<String> behind = send(offer(17, 1_000));
    assertThat(behind.statusCode()).isEqualTo(WitnessRules.Verdict.OTHER_OLD_SIZE.status());
    assertThat(behind.headers().firstValue("Content-Type")).hasValue("text/x.tlog.size");
    assertThat(behind.body()).isEqualTo("1000\n");
    String forked = new Checkpoint(ORIGIN, 1_000, PlainTree.leaf(1)).text();
    SignedNote fork = new SignedNote(forked, List.of(log.sign(forked)));
    assertThat(send(new AddCheckpoint(1_000, List.of(), fork)).statusCode())
        .isEqualTo(WitnessRules.Verdict.INCONSISTENT.status());
  }

  private void cosigned(SignedNote checkpoint, AddCheckpoint offer) throws Exception {
    long before = Instant.now().getEpochSecond();
    HttpResponse<String> answer = send(offer);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    List<NoteSignature> lines = answer.body().lines().map(NoteSignature::parse).toList();
    SignedNote seen = checkpoint.with(lines);
    assertThat(SignedNote.parse(seen.bytes()).signedBy(List.of(log.key(), witnessKey))).hasSize(2);
    long time = ByteBuffer.wrap(lines.getFirst().bytes()).getLong();
    assertThat(time).isBetween(before, Instant.now().getEpochSecond());
  }

  private SignedNote checkpoint(int size) throws Exception {
    String text = Checkpoint.of(ORIGIN, new Tree(size, plain)).text();
    return new SignedNote(text, List.of(log.sign(text)));
  }

  private AddCheckpoint offer(int old, int size) throws Exception {
    return new AddCheckpoint(old, new Tree(size, plain).consistencyProof(old), checkpoint(size));
  }

  private HttpResponse<String> send(AddCheckpoint offer) throws Exception {
    return http.send(
        HttpRequest.newBuilder(witness)
            .timeout(Duration.ofSeconds(20))
            .POST(BodyPublishers.ofByteArray(offer.bytes()))
            .build(),
        BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  private boolean answers() throws Exception {
    try {
      return http.send(
                  HttpRequest.newBuilder(witness.resolve("/")).build(), BodyHandlers.discarding())
              .statusCode()
          > 0;
    } catch (ConnectException e) {
      return false;
    }
  }

  /** A condition that may throw. */
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    Instant end = Instant.now().plusSeconds(30);
    while (!condition.holds()) {
      assertThat(Instant.now()).isBefore(end);
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private void begin(String... command) throws IOException {
    processes.addFirst(process(command).start());
  }

  /** Returns what it wrote. */
  private String finish(String... command) throws Exception {
    Process process = process(command).redirectOutput(output().toFile()).start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    String written = Files.readString(output());
    assertThat(process.exitValue()).as(written).isZero();
    return written;
  }

  private ProcessBuilder process(String... command) {
    ProcessBuilder process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log-" + processes.size()).toFile());
    process.environment().put("SSH_AUTH_SOCK", directory.resolve("agent").toString());
    return process;
  }

  private Path output() {
    return directory.resolve("output");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
