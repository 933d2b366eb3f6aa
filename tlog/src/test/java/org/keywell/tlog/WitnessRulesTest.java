package org.keywell.tlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.tlog.WitnessRules.Verdict;

final class WitnessRulesTest {

  private static final String ORIGIN = "log.example/keys";

  private final Ed25519Signer log = Ed25519Signer.ofLog(ORIGIN);
  private final WitnessRules rules = new WitnessRules(Map.of(ORIGIN, List.of(log.key())));
  private final Checkpoint none = Checkpoint.ofEmptyTree(ORIGIN);
  private final PlainTree plain = PlainTree.of(40);

  WitnessRulesTest() throws GeneralSecurityException {}

  private Tree tree(int size) {
    return new Tree(size, plain);
  }

  private Checkpoint checkpoint(int size) {
    return Checkpoint.of(ORIGIN, tree(size));
  }

  private AddCheckpoint offer(int old, int size) throws Exception {
    return offer(old, tree(size).consistencyProof(Math.min(old, size)), checkpoint(size));
  }

  private AddCheckpoint offer(int old, List<TreeHash> proof, Checkpoint offered) throws Exception {
    String text = offered.text();
    return new AddCheckpoint(old, proof, new SignedNote(text, List.of(log.sign(text))));
  }

  @Test
  void acceptsWhatContinuesTheLatest() throws Exception {
    assertThat(rules.judge(offer(0, 17), none)).isEqualTo(Verdict.ACCEPTED);
    assertThat(rules.judge(offer(17, 40), checkpoint(17))).isEqualTo(Verdict.ACCEPTED);
    assertThat(rules.judge(offer(40, 40), checkpoint(40))).isEqualTo(Verdict.ACCEPTED);
    assertThat(rules.judge(offer(0, 0), none)).isEqualTo(Verdict.ACCEPTED);
  }

  @Test
  void refusesAnotherTreeOfTheSameSize() throws Exception {
    Checkpoint other = new Checkpoint(ORIGIN, 17, PlainTree.leaf(3));

    assertThat(rules.judge(offer(17, List.of(), other), checkpoint(17)))
        .isEqualTo(Verdict.INCONSISTENT);
  }

  @Test
  void refusesATreeThatDoesNotContinueTheLatest() throws Exception {
    Checkpoint other = new Checkpoint(ORIGIN, 40, PlainTree.leaf(3));

    assertThat(rules.judge(offer(17, tree(40).consistencyProof(17), other), checkpoint(17)))
        .isEqualTo(Verdict.INCONSISTENT);
    assertThat(rules.judge(offer(0, tree(40).consistencyProof(17), checkpoint(40)), none))
        .as("a proof where none is needed")
        .isEqualTo(Verdict.INCONSISTENT);
  }

  @Test
  void tellsTheLogWhatItHasSeen() throws Exception {
    assertThat(rules.judge(offer(17, 40), checkpoint(20))).isEqualTo(Verdict.OTHER_OLD_SIZE);
    assertThat(rules.judge(offer(0, 40), checkpoint(20))).isEqualTo(Verdict.OTHER_OLD_SIZE);
    assertThat(rules.judge(offer(20, 17), checkpoint(20)))
        .isEqualTo(Verdict.OLD_SIZE_BEYOND_CHECKPOINT);
  }

  @Test
  void refusesWhatItsLogHasNotSigned() throws Exception {
    Ed25519Signer stranger = Ed25519Signer.ofLog(ORIGIN);
    String text = checkpoint(17).text();
    AddCheckpoint forged =
        new AddCheckpoint(0, List.of(), new SignedNote(text, List.of(stranger.sign(text))));
    AddCheckpoint wrong =
        new AddCheckpoint(0, List.of(), new SignedNote(text, List.of(log.sign("other\n"))));

    assertThat(rules.judge(forged, none)).isEqualTo(Verdict.NOT_SIGNED_BY_LOG);
    assertThat(rules.judge(wrong, none)).isEqualTo(Verdict.NOT_SIGNED_BY_LOG);
    assertThat(new WitnessRules(Map.of()).judge(offer(0, 17), none)).isEqualTo(Verdict.UNKNOWN_LOG);
  }

  @Test
  void survivesItsBody() throws Exception {
    AddCheckpoint offer = offer(17, 40);

    assertThat(AddCheckpoint.parse(offer.bytes())).isEqualTo(offer);
    assertThat(new String(offer.bytes(), StandardCharsets.UTF_8)).startsWith("old 17\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"new 17", "old 017", "old -1", "old", "old 17 "})
  void refusesOtherBodies(String first) throws Exception {
    String body = new String(offer(17, 40).bytes(), StandardCharsets.UTF_8);
    byte[] altered = body.replace("old 17", first).getBytes(StandardCharsets.UTF_8);

    assertThatExceptionOfType(LogFormatException.class)
        .isThrownBy(() -> AddCheckpoint.parse(altered));
  }
}
