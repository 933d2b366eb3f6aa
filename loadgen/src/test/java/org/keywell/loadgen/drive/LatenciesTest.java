package org.keywell.loadgen.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class LatenciesTest {

  @Test
  void nothingIsClamped() {
    // A microsecond beside a week.
    long week = 7L * 24 * 3_600 * 1_000_000_000;
    Latencies latencies = Latencies.of(List.of(1_000L, week));

    assertThat(latencies.percentileMillis(50)).isCloseTo(0.001, Percentage.withPercentage(0.1));
    assertThat(latencies.percentileMillis(100))
        .isCloseTo(week / 1e6, Percentage.withPercentage(0.1));
    assertThat(latencies.overflows()).isZero();
    assertThat(latencies.count()).isEqualTo(2);
  }

  @Test
  void whatCannotBeHeldIsCounted() {
    Latencies latencies = Latencies.of(List.of(5L, -1L));

    assertThat(latencies.count()).isEqualTo(1);
    assertThat(latencies.overflows()).isEqualTo(1);
  }
}
