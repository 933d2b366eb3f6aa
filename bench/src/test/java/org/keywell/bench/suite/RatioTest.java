package org.keywell.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class RatioTest {

  @Test
  void eachRoundIsComparedWithItsOwn() {
    Ratio ratio =
        Ratio.of("a / b", List.of(8.0, 4.0, 6.0), List.of(2.0, 2.0, 4.0), each -> each, Goal.NONE);

    assertThat(ratio.rounds()).containsExactly(4.0, 2.0, 1.5);
    assertThat(ratio.median()).isEqualTo(2.0);
    assertThat(ratio.least()).isEqualTo(1.5);
    assertThat(ratio.most()).isEqualTo(4.0);
  }
}
