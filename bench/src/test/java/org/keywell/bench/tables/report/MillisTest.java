package org.keywell.bench.tables.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.bench.tables.figure.Printed;
import org.keywell.bench.tables.figure.Quantity;

final class MillisTest {

  @ParameterizedTest
  @CsvSource({
    "0.01234, 0.0123",
    "0.5678, 0.568",
    "1.2345, 1.23",
    "23.456, 23.5",
    "664.62, 665",
    "12345.6, '12,346'",
  })
  void timesHaveTheDigitsThatCount(double millis, String text) {
    assertThat(Millis.text(millis)).isEqualTo(text);
  }

  @Test
  void printedTimesStayAsPrinted() {
    assertThat(Millis.text(new Printed(Quantity.SIGN, 43.904, 43.904))).isEqualTo("43.904");
    assertThat(Millis.text(new Printed(Quantity.SIGN, 70.0715, 70.0715))).isEqualTo("70.0715");
    assertThat(Millis.text(new Printed(Quantity.SINGLE, 0, 700))).isEqualTo("0–700");
  }
}
