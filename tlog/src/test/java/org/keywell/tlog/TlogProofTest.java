package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TlogProofTest {

  private static final String ORIGIN = "log.example/keys";
  private static final int SIZE = 300;
  private static final int INDEX = 77;

  private final Tree tree = new Tree(SIZE, PlainTree.of(SIZE));
  private final Ed25519Signer log = Ed25519Signer.ofLog(ORIGIN);
  private final TlogProof proof = proof(ORIGIN);

  TlogProofTest() throws GeneralSecurityException {}

  private TlogProof proof(String origin) throws GeneralSecurityException {
    String text = Checkpoint.of(origin, tree).text();
    return new TlogProof(
        "salt".getBytes(StandardCharsets.UTF_8),
        INDEX,
        tree.inclusionProof(INDEX),
        new SignedNote(text, List.of(log.sign(text))));
  }

  @Test
  void survivesItsFile() {
    TlogProof read = TlogProof.parse(proof.bytes());

    assertThat(read).isEqualTo(proof);
    assertThat(read.extra()).asString().isEqualTo("salt");
    Checkpoint checkpoint = read.verify(ORIGIN, List.of(log.key()), PlainTree.leaf(INDEX));
    assertThat(checkpoint).isEqualTo(new Checkpoint(ORIGIN, SIZE, tree.root()));
  }

  @Test
  void hasTheLinesOfTheFormat() {
    assertThat(new String(proof.bytes(), StandardCharsets.UTF_8).lines())
        .startsWith("c2sp.org/tlog-proof@v1", "extra c2FsdA==", "index 77")
        .containsSubsequence(tree.inclusionProof(INDEX).getLast().toString(), "", ORIGIN, "300", "")
        .hasSize(3 + 9 + 1 + 3 + 1 + 1);
  }

  @Test
  void provesTheOnlyEntryOfATree() throws Exception {
    Tree one = new Tree(1, PlainTree.of(1));
    String text = Checkpoint.of(ORIGIN, one).text();
    SignedNote note = new SignedNote(text, List.of(log.sign(text)));

    TlogProof read = TlogProof.parse(new TlogProof(new byte[0], 0, List.of(), note).bytes());

    assertThat(read.extra()).isEmpty();
    assertThat(read.verify(ORIGIN, List.of(log.key()), PlainTree.leaf(0)).size()).isOne();
  }

  @Test
  void saysWhatDoesNotHold() throws Exception {
    TreeHash leaf = PlainTree.leaf(INDEX);

    refused(proof, PlainTree.leaf(INDEX + 1), "the entry is not at index 77 of the log");
    refused(proof("another.example"), leaf, "the checkpoint is of another log: another.example");
    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> proof.verify(ORIGIN, List.of(Ed25519Signer.ofLog(ORIGIN).key()), leaf))
        .withMessage("no key of the log has signed the checkpoint");
  }

  private void refused(TlogProof wrong, TreeHash leaf, String why) {
    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> wrong.verify(ORIGIN, List.of(log.key()), leaf))
        .withMessage(why);
  }

  @ParameterizedTest
  @CsvSource({
    "c2sp.org/tlog-proof@v1, c2sp.org/tlog-proof@v2",
    "index 77, index 077",
    "index 77, index -1",
    "index 77, 77",
    "extra c2FsdA==, extra c2FsdA",
    "extra c2FsdA==, extra c2FsdB=="
  })
  void refusesOtherFiles(String line, String instead) {
    String file = new String(proof.bytes(), StandardCharsets.UTF_8);
    assertThat(file).contains(line);
    byte[] altered = file.replace(line, instead).getBytes(StandardCharsets.UTF_8);

    assertThatExceptionOfType(LogFormatException.class).isThrownBy(() -> TlogProof.parse(altered));
  }

  @ParameterizedTest
  @CsvSource({"300, 0300", "300, x", "300, 9223372036854775808", "log.example/keys, ''"})
  void refusesOtherCheckpoints(String line, String instead) {
    String text = Checkpoint.of(ORIGIN, tree).text();

    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> Checkpoint.parse(text.replace(line, instead)));
  }

  /** Foreign logs may have them; what they say is not about the tree. */
  @Test
  void leavesOutExtensionLines() {
    Checkpoint checkpoint = Checkpoint.of(ORIGIN, tree);

    assertThat(Checkpoint.parse(checkpoint.text() + "extension\n")).isEqualTo(checkpoint);
  }
}
