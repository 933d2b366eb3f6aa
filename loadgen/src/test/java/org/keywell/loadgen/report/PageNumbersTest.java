package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.text.Quantity;
import org.keywell.loadgen.text.TextTemplate;
import org.keywell.testkit.Chromium;
import tools.jackson.databind.json.JsonMapper;

/** A number looks the same on a page and on a terminal. */
@Tag("browser")
final class PageNumbersTest {
  private static final List<Double> NUMBERS =
      List.of(
          0.0,
          1e-9,
          0.000123,
          0.0125,
          0.05,
          0.1,
          0.125,
          0.9999,
          0.99999,
          1.0,
          1.005,
          9.995,
          10.25,
          59.96,
          99.95,
          99.994,
          100.0,
          119.96,
          942.38,
          999.94,
          1_000.5,
          7_199.9,
          9_999.6,
          12_345.6,
          172_799.0,
          172_801.0,
          11_340_000.0);

  @Test
  void numbersLookAsTheyDoOnATerminal(@TempDir Path folder) throws Exception {
    String page =
        StaticPage.of(
            "/org/keywell/loadgen/report/numbers.html",
            "Numbers",
            JsonMapper.shared().writeValueAsString(NUMBERS));
    TextTemplate percent = TextTemplate.of("{share:percent}");
    List<String> expected =
        NUMBERS.stream()
            .flatMap(number ->
                List.of(
                    Quantity.number(number),
                    Quantity.count(number),
                    Quantity.percent(number),
                    Quantity.time(number),
                    Quantity.millis(number),
                    Quantity.megabytes(number),
                    percent.with(Map.of("share", Math.min(1, number))))
                    .stream())
            .toList();

    assertThat(Chromium.cells(Chromium.shown(page, folder))).isEqualTo(expected);
  }
}
