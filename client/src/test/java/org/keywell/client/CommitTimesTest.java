package org.keywell.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CommitTimesTest {

  @Test
  void bothAreReadAmongTheStages() {
    assertThat(CommitTimes.of("accept;dur=2.125, wait;dur=3.000, finish;dur=1, record;dur=4"))
        .isEqualTo(new CommitTimes(2_125L, 4_000L));
  }

  @Test
  void whatIsNotToldIsNull() {
    assertThat(CommitTimes.of("wait;dur=3.000, record;dur=0.001"))
        .isEqualTo(new CommitTimes(null, 1L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "accept",
        "accept;dur=",
        "accept;dur=-1",
        "accept;dur=1e9",
        "xaccept;dur=1",
        "accept;dur=12345678901234567890"
      })
  void whatIsNotUnderstoodIsNotTold(String header) {
    assertThat(CommitTimes.of(header)).isEqualTo(CommitTimes.UNKNOWN);
  }
}
