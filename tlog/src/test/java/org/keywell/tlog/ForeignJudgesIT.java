package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.sigstore.merkle.InclusionProofVerificationException;
import dev.sigstore.merkle.InclusionProofVerifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs that share no code with this module accept its log, and find what was altered: Go's
 * packages for its checksum database, sigstore's verifier, and {@code docs/verify/tlog_proof.py}.
 * {@code ./keywell test --lint} sets up the former.
 */
@Tag("lint")
@Timeout(300)
final class ForeignJudgesIT {

  private static final String ORIGIN = WrittenLog.ORIGIN;
  private static final int SIZE = 70_000;
  private static final List<Integer> EARLIER = List.of(1, 255, 256, 300, 65_536, 69_999);

  @TempDir private Path log;

  private final Ed25519Signer signer = Ed25519Signer.ofLog(ORIGIN);
  private final List<String> earlier = new ArrayList<>();
  private SignedNote checkpoint = new SignedNote("none\n", List.of(signer.sign("none\n")));

  ForeignJudgesIT() throws Exception {}

  @BeforeEach
  void writeLog() throws Exception {
    WrittenLog written = new WrittenLog(log);
    for (int size : EARLIER) {
      byte[] earlierOne = sign(written.growTo(size)).bytes();
      earlier.add(Files.write(log.resolve("checkpoint-" + size), earlierOne).toString());
    }
    checkpoint = sign(written.growTo(SIZE));
    Files.write(log.resolve("checkpoint"), checkpoint.bytes());
  }

  private SignedNote sign(Checkpoint of) throws Exception {
    return new SignedNote(of.text(), List.of(signer.sign(of.text())));
  }

  @Test
  void goVerifiesTheLog() throws Exception {
    assertThat(go()).isEqualTo("0: 70000 entries, 6 earlier checkpoints");
  }

  @Test
  void goFindsAnAlteredEntry() throws Exception {
    new WrittenLog(log).spoil(TileId.ofEntries(100, TileId.FULL), 10);

    assertThat(go()).startsWith("1: tlog-judge: entry 25600:");
  }

  @Test
  void goFindsAnAlteredTile() throws Exception {
    new WrittenLog(log).spoil(TileId.ofHashes(1, 0, TileId.FULL), 40);

    assertThat(go()).startsWith("1: ").contains("downloaded inconsistent tile");
  }

  /** Another verifier in Java, for Rekor's log: the same hashes, and code of others. */
  @Test
  void sigstoreVerifiesInclusion() throws Exception {
    TreeHash root = Checkpoint.parse(checkpoint.text()).root();
    Tree tree = new Tree(SIZE, new TileHashes(SIZE, new DirectoryTiles(log)));
    for (int index = 0; index < SIZE; index += index < 600 || index > SIZE - 600 ? 1 : 997) {
      byte[] leaf = TreeHash.ofLeaf(WrittenLog.entry(index)).bytes();
      List<byte[]> proof = tree.inclusionProof(index).stream().map(TreeHash::bytes).toList();
      InclusionProofVerifier.verify(leaf, index, SIZE, proof, root.bytes());
      int other = index + 1;
      assertThatExceptionOfType(InclusionProofVerificationException.class)
          .isThrownBy(() -> InclusionProofVerifier.verify(leaf, other, SIZE, proof, root.bytes()));
    }
  }

  private String go() throws Exception {
    String linters = System.getenv("KEYWELL_TEST_LINTERS");
    assertThat(linters).as("KEYWELL_TEST_LINTERS").isNotNull();
    List<String> command = new ArrayList<>();
    command.add(Path.of(linters, "bin", "tlog-judge").toString());
    command.add(log.toString());
    command.add(signer.key().toString());
    command.addAll(earlier);
    return run(command);
  }

  @Test
  void pythonVerifiesAProofWithItsWitnesses() throws Exception {
    Ed25519Signer witness = Ed25519Signer.ofWitness("witness.example");
    SignedNote seen = checkpoint.with(List.of(witness.cosign(checkpoint.text(), 1_700_000_000L)));
    Path proof = proof(69_000, seen);

    assertThat(python(proof, 69_000, "--witness", witness.key().toString(), "--quorum", "1"))
        .isEqualTo("0: entry 69000 of 70000 of log.example/keys, seen by 1 witnesses");
    assertThat(python(proof, 69_001)).isEqualTo("1: tlog_proof.py: the entry is not in the log");
    String other = Ed25519Signer.ofWitness("other.example").key().toString();
    assertThat(python(proof, 69_000, "--witness", witness.key().toString(), "--witness", other))
        .as("without a quorum, all that are named")
        .isEqualTo("1: tlog_proof.py: 1 of 2 witnesses have signed the checkpoint");
    String twice = witness.key().toString();
    assertThat(python(proof, 69_000, "--witness", twice, "--witness", twice, "--quorum", "2"))
        .isEqualTo("1: tlog_proof.py: 1 of 2 witnesses have signed the checkpoint");
    assertThat(python(proof, 69_000, "--quorum", "1"))
        .isEqualTo("1: tlog_proof.py: 0 of 1 witnesses have signed the checkpoint");
    assertThat(
            python(
                proof(69_000, checkpoint.with(List.of(witness.cosign("other\n", 1)))),
                69_000,
                "--witness",
                witness.key().toString()))
        .isEqualTo("1: tlog_proof.py: a signature of witness.example does not verify");
  }

  private Path proof(int index, SignedNote seen) throws IOException {
    TileSource tiles = new DirectoryTiles(log);
    Tree tree = new Tree(SIZE, new TileHashes(SIZE, tiles));
    TlogProof proof = new TlogProof(new byte[] {1}, index, tree.inclusionProof(index), seen);
    return Files.write(log.resolve("one.tlog-proof"), proof.bytes());
  }

  private String python(Path proof, int entry, String... more) throws Exception {
    Path entryFile = Files.write(log.resolve("entry"), WrittenLog.entry(entry));
    List<String> command = new ArrayList<>();
    command.add("python3");
    command.add(Path.of("..", "docs", "verify", "tlog_proof.py").toString());
    command.addAll(List.of("--log", signer.key().toString()));
    command.addAll(List.of("--entry", entryFile.toString()));
    command.addAll(List.of(more));
    command.add(proof.toString());
    return run(command);
  }

  /** Returns the exit code, and what it wrote. */
  private String run(List<String> command) throws Exception {
    Path output = log.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + ": " + Files.readString(output).strip();
  }
}
