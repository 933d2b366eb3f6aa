package org.keywell.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RealPartTest {

  private static final String FAST = "keywell.test.fast";

  private final boolean fast = Boolean.getBoolean(FAST);

  @BeforeEach
  void leaveTheLane() {
    System.clearProperty(FAST);
  }

  @AfterEach
  void goBack() {
    System.setProperty(FAST, Boolean.toString(fast));
  }

  @Test
  void aTestInTheFastLaneThatUsesARealPartIsToldWhichTagItLacks() {
    System.setProperty(FAST, "true");

    assertThatThrownBy(RealPart.SOFTHSM::inUse)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("@Tag(\"softhsm\")");
  }

  @Test
  void elsewhereRealPartsAreUsed() {
    assertThatCode(RealPart.SOFTHSM::inUse).doesNotThrowAnyException();
  }
}
