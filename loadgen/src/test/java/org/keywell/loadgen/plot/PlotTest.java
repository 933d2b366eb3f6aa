package org.keywell.loadgen.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PlotTest {

  @ParameterizedTest
  @CsvSource({"0,1", "0.9,1", "7,7", "100,100", "101,120", "553,600", "12345,14000"})
  void aLinearScaleEndsAtARoundNumberAboveAll(double max, double end) {
    Scale.Linear scale = Scale.Linear.upTo(max);

    assertThat(scale.to()).isGreaterThanOrEqualTo(max).isLessThanOrEqualTo(Math.max(end * 1.2, 1));
    assertThat(scale.ticks()).hasSizeBetween(2, 9).startsWith(0.0);
    assertThat(scale.ticks().getLast()).isCloseTo(scale.to(), Offset.offset(1e-9));
  }

  @Test
  void aLogarithmicScaleHasDecades() {
    assertThat(Scale.Logarithmic.over(3, 3_000).to()).isEqualTo(5_000);
    assertThat(Scale.Logarithmic.over(3, 105).to()).isEqualTo(200);
    Scale.Logarithmic scale = Scale.Logarithmic.over(3, 9_000);

    assertThat(scale.ticks()).containsExactly(1.0, 10.0, 100.0, 1_000.0, 10_000.0);
    assertThat(scale.position(100)).isCloseTo(0.5, Offset.offset(1e-9));
    assertThat(scale.position(0)).isZero();
    assertThat(scale.position(1e9)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"0,0", "1.25,1.25", "1.6667,1.67", "2.5,2.5", "14.2857,14.3", "20,20", "99.99,100"})
  void numbersHaveFewDigits(double value, String text) {
    assertThat(Scale.text(value)).isEqualTo(text);
  }

  @Test
  void whatIsPlottedCannotBecomeMarkup() {
    String svg =
        new Plot(300, 200, new Scale.Linear(0, 1), new Scale.Linear(0, 1))
            .verticalAxis("<script>")
            .series("a", List.of(new Plot.Point(0, 0, "\"<b>\"")), true)
            .svg("p", "a & b", "'d'");

    assertThat(svg)
        .doesNotContain("<script>", "<b>")
        .contains("&lt;script&gt;", "&quot;&lt;b&gt;&quot;", "a &amp; b", "role=\"img\"");
  }

  @Test
  void aGapBreaksALine() {
    String svg =
        new Plot(300, 200, new Scale.Linear(0, 4), new Scale.Linear(0, 1))
            .series(
                "a",
                List.of(
                    new Plot.Point(0, 0, ""),
                    new Plot.Point(1, 1, ""),
                    new Plot.Point(2, Double.NaN, ""),
                    new Plot.Point(3, 1, "")),
                true)
            .svg("p", "t", "d");

    assertThat(svg).containsPattern("d=\"M[^M]*L[^M]*M[^L]*\"").doesNotContain("NaN");
  }
}
