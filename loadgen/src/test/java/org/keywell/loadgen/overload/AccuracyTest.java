package org.keywell.loadgen.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class AccuracyTest {

  @ParameterizedTest
  @CsvSource({"100, 100, 100", "100, 98, 98", "100, 102, 98", "50, 0, 0", "10, 30, -100"})
  void isByHowMuchOfTheCalculatedValueBothDiffer(double calculated, double actual, double percent) {
    assertThat(Accuracy.percent(calculated, actual)).isCloseTo(percent, Offset.offset(1e-9));
  }

  /** 39.045 s calculated and 38.565 s actual: 0.480 s apart, 1.229 % of 39.045. */
  @Test
  void isTheThesissUpToItsOwnRounding() {
    assertThat(Accuracy.percent(39.045, 38.565)).isCloseTo(98.7706, Offset.offset(1e-4));
  }

  static List<ThesisTest> thesis() {
    return ThesisTest.all();
  }

  @ParameterizedTest
  @MethodSource("thesis")
  void eachPrintedAccuracyIsWithinATenthOfWhatItsFiguresGive(ThesisTest row) {
    assertThat(Accuracy.percent(row.calculatedLatencySeconds(), row.actualLatencySeconds()))
        .isCloseTo(row.latencyAccuracy(), Offset.offset(0.1));
    assertThat(Accuracy.percent(row.calculatedQueue(), row.actualQueue())).isGreaterThan(99.7);
  }

  @Test
  void doesNotDependOnTheUnitAndIsTheSameOnBothSides() {
    Random random = new Random(20_260_102);
    for (int i = 0; i < 200; i++) {
      double calculated = 1e-3 + random.nextDouble() * 1e4;
      double difference = (random.nextDouble() - 0.5) * calculated;
      double percent = Accuracy.percent(calculated, calculated + difference);

      assertThat(percent).isBetween(50.0 - 1e-9, 100.0);
      assertThat(Accuracy.percent(calculated, calculated - difference))
          .isCloseTo(percent, Offset.offset(1e-9));
      assertThat(Accuracy.percent(1_000 * calculated, 1_000 * (calculated + difference)))
          .isCloseTo(percent, Offset.offset(1e-9));
    }
  }

  @Test
  void nothingIsMeasuredAgainstNothing() {
    assertThatIllegalArgumentException().isThrownBy(() -> Accuracy.percent(0, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> Accuracy.percent(Double.NaN, 1));
  }
}
