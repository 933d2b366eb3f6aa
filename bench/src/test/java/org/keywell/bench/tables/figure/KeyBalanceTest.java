package org.keywell.bench.tables.figure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeyBalanceTest {

  @ParameterizedTest
  @CsvSource({
    "100, 100, 1, 1, 0, true",
    // One of another program has gone.
    "100, 100, 1, 0, 0, true",
    "100, 99, 1, 1, 0, false",
    "100, 100, 1, 2, 0, false",
    "100, 100, 1, 1, 3, false",
  })
  void onlyNothingLeftIsClean(
      long made, long destroyed, long before, long after, long stored, boolean clean) {
    assertThat(new KeyBalance(made, destroyed, before, after, stored).clean()).isEqualTo(clean);
  }
}
