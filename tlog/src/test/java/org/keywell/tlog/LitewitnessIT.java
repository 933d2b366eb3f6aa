package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.testkit.Litewitness;

/**
 * A witness of another maker, litewitness of torchwood, cosigns this module's checkpoints and
 * refuses what does not continue them. {@code ./keywell test --lint} sets it up.
 */
@Tag("lint")
@Timeout(120)
final class LitewitnessIT {

  private static final String ORIGIN = "log.example/keys";
  private static final String NAME = "witness.example/lite";

  @TempDir private Path directory;

  private final Ed25519Signer log = Ed25519Signer.ofLog(ORIGIN);
  private final PlainTree plain = PlainTree.of(1_000);
  private final HttpClient http = HttpClient.newHttpClient();
  private Litewitness witness;
  private NoteKey witnessKey = log.key();

  LitewitnessIT() throws Exception {}

  @BeforeEach
  void start() throws Exception {
    witness = new Litewitness(NAME, directory);
    witness.register(ORIGIN, TreeHash.EMPTY_TREE.toString(), log.key().toString());
    witnessKey = new NoteKey(NAME, NoteKey.Type.COSIGNATURE_ED25519, witness.publicKey());
  }

  @AfterEach
  void stop() throws Exception {
    http.close();
    witness.close();
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
        HttpRequest.newBuilder(witness.prefix().resolve("/add-checkpoint"))
            .timeout(Duration.ofSeconds(20))
            .POST(BodyPublishers.ofByteArray(offer.bytes()))
            .build(),
        BodyHandlers.ofString(StandardCharsets.UTF_8));
  }
}
