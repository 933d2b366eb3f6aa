package org.keywell.signing.hsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.signing.database.Rotation;
import org.keywell.signing.database.Rotation.Step;

final class GenerationChoiceTest {

  private static final String ONE = "label:01";
  private static final String TWO = "label~2:02";
  private static final String THREE = "label~3:03";

  private static GenerationChoice choice(List<String> found, Rotation... rotations) {
    return GenerationChoice.of(found, List.of(rotations));
  }

  private static Rotation toTwo(Step step) {
    return new Rotation(ONE, TWO, step);
  }

  @Test
  void theOldestWrapsUntilTheDatabaseSaysOtherwise() {
    assertThat(choice(List.of(ONE, TWO)).use().wraps()).contains(ONE);
    assertThat(choice(List.of(ONE, TWO), toTwo(Step.MAKING)).use().wraps()).contains(ONE);
    assertThat(choice(List.of(ONE, TWO), toTwo(Step.OFFERED)).use().wraps()).contains(ONE);
    assertThat(choice(List.of(ONE, TWO), toTwo(Step.SWITCHED)).use().wraps()).contains(TWO);
    assertThat(choice(List.of(TWO)).use().wraps()).as("a restored database").contains(TWO);
  }

  @Test
  void aTokenThatLacksTheNewOneGoesOnWithTheOldOne() {
    GenerationChoice choice = choice(List.of(ONE), toTwo(Step.SWITCHED));

    assertThat(choice.use().wraps()).contains(ONE);
    assertThat(choice.looksAgain()).isTrue();
    assertThat(choice.replaced()).isEmpty();
  }

  @Test
  void butNotOnceItIsWithdrawn() {
    GenerationChoice choice = choice(List.of(ONE), toTwo(Step.WITHDRAWN));

    assertThat(choice.use().withdrawn()).containsExactly(ONE);
    assertThat(choice.replaced()).contains(toTwo(Step.WITHDRAWN));
  }

  @Test
  void whatIsWithdrawnIsNotUsed() {
    GenerationChoice choice = choice(List.of(ONE, TWO), toTwo(Step.WITHDRAWN));

    assertThat(choice.use().wraps()).contains(TWO);
    assertThat(choice.use().withdrawn()).containsExactly(ONE);
    assertThat(choice.looksAgain()).as("until it is gone").isTrue();
    assertThat(choice(List.of(TWO), toTwo(Step.DONE)).looksAgain()).isFalse();
  }

  @Test
  void oneRotationFollowsTheOther() {
    Rotation toThree = new Rotation(TWO, THREE, Step.SWITCHED);

    assertThat(choice(List.of(ONE, TWO, THREE), toTwo(Step.SWITCHED), toThree).use().wraps())
        .contains(THREE);
    assertThat(choice(List.of(TWO, THREE), toTwo(Step.DONE), toThree).use().wraps())
        .contains(THREE);
  }

  /** Two pools may have wrapping keys of one label. */
  @Test
  void rotationsOfOtherTokensAreNotFollowed() {
    GenerationChoice choice =
        choice(List.of("label:99"), toTwo(Step.OFFERED), toTwo(Step.WITHDRAWN));

    assertThat(choice.use().wraps()).contains("label:99");
    assertThat(choice.use().withdrawn()).isEmpty();
    assertThat(choice.looksAgain()).isFalse();
  }
}
