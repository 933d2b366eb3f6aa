package org.keywell.bench.tables.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class FigureTest {

  @Test
  void singleTimesHaveTotalMeanAndSpread() {
    Figure figure = Figure.ofSingles(new long[] {4_000_000, 1_000_000, 2_500_000});

    assertThat(figure).isEqualTo(new Figure(3, 7.5, 2.5, new Figure.Spread(1, 2.5, 4)));
  }

  @Test
  void theMedianIsOneOfTheTimes() {
    long[] even = {10_000_000, 40_000_000, 20_000_000, 30_000_000};

    assertThat(Figure.ofSingles(even).spread()).isEqualTo(new Figure.Spread(10, 20, 40));
    assertThat(even).startsWith(10_000_000L, 40_000_000L);
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
