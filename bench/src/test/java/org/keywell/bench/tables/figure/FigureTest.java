package org.keywell.bench.tables.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Objects;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class FigureTest {
  /** Of a histogram with three digits that count. */
  private static final Percentage PRECISION = Percentage.withPercentage(0.1);

  @Test
  void singleTimesHaveTotalMeanAndSpread() {
    Figure figure = Figure.ofSingles(new long[] {4_000_000, 1_000_000, 2_500_000});

    assertThat(figure.count()).isEqualTo(3);
    assertThat(figure.totalMillis()).isEqualTo(7.5);
    assertThat(figure.meanMillis()).isEqualTo(2.5);
    Figure.Spread spread = Objects.requireNonNull(figure.spread());
    assertThat(spread.min()).isEqualTo(1);
    assertThat(spread.p50()).isCloseTo(2.5, PRECISION);
    assertThat(spread.max()).isEqualTo(4);
  }

  @Test
  void theMedianIsOneOfTheTimes() {
    long[] even = {10_000_000, 40_000_000, 20_000_000, 30_000_000};

    assertThat(Objects.requireNonNull(Figure.ofSingles(even).spread()).p50())
        .isCloseTo(20, PRECISION);
    assertThat(even).startsWith(10_000_000L, 40_000_000L);
  }

  @Test
  void theMedianIsNotAboveTheGreatestTime() {
    assertThat(Figure.ofSingles(new long[] {123_456_789}).spread())
        .isEqualTo(new Figure.Spread(123.456789, 123.456789, 123.456789));
  }

  @Test
  void whatIsDoneTogetherHasNoSpread() {
    assertThat(Figure.ofTogether(500, 635_000_000)).isEqualTo(new Figure(500, 635, 1.27, null));
  }

  @Test
  void nothingIsNoFigure() {
    assertThatIllegalArgumentException().isThrownBy(() -> Figure.ofSingles(new long[0]));
    assertThatIllegalArgumentException().isThrownBy(() -> Figure.ofTogether(0, 5));
  }
}
