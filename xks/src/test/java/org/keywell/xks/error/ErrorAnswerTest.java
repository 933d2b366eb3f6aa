package org.keywell.xks.error;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ErrorAnswerTest {

  @Test
  void aMessageIsPlainAndShort() {
    assertThat(ErrorAnswer.of(405, XksError.VALIDATION, "a \"b\\ \u00E9\n").json())
        .isEqualTo("{\"errorName\":\"ValidationException\",\"errorMessage\":\"a \\\"b\\\\ ??\"}");
    assertThat(ErrorAnswer.of(400, XksError.VALIDATION, "x".repeat(1000)).json())
        .hasSizeLessThan(600);
  }
}
