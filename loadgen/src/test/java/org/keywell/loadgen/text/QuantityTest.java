package org.keywell.loadgen.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QuantityTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0.000123, 0.00012",
    "0.1, 0.1",
    "1.4430, 1.44",
    "18.75, 18.75",
    "100, 100",
    "942.38, 942.4",
    "11340000, '11,340,000'"
  })
  void numbersHaveNoMoreDigitsThanTheyNeed(double number, String text) {
    assertThat(Quantity.number(number)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "0.02, 0.02 s",
    "3.089, 3.1 s",
    "119, 119 s",
    "120, 2 min",
    "337, 5.6 min",
    "7200, 2 h",
    "12800, 3.6 h",
    "172800, 2 days",
    "8625600, 99.8 days"
  })
  void timesAreInTheUnitThatFits(double seconds, String text) {
    assertThat(Quantity.time(seconds)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0%",
    "0.0005, 0.05%",
    "0.971139, 97.1%",
    "0.9999, 99.9%",
    "1, 100%",
    "34.65, '3,465%'"
  })
  void sharesAreNeverRoundedUpToAll(double share, String text) {
    assertThat(Quantity.percent(share)).isEqualTo(text);
  }
}
