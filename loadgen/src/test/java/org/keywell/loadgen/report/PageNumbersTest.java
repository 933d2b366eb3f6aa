package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.text.TextTemplate;
import org.keywell.testkit.Chromium;
import tools.jackson.databind.json.JsonMapper;

/** A share looks the same on a page and on a terminal. */
@Tag("browser")
final class PageNumbersTest {
  private static final List<Double> SHARES =
      List.of(0.0, 1e-9, 0.000123, 0.0125, 0.05, 0.1, 0.125, 0.9995, 0.9999, 0.99999, 1.0);

  @Test
  void sharesLookAsTheyDoOnATerminal(@TempDir Path folder) throws Exception {
    String page =
        StaticPage.of(
            "/org/keywell/loadgen/report/numbers.html",
            "Numbers",
            JsonMapper.shared().writeValueAsString(SHARES));
    TextTemplate percent = TextTemplate.of("{share:percent}");

    assertThat(Chromium.cells(Chromium.shown(page, folder)))
        .isEqualTo(SHARES.stream().map(share -> percent.with(Map.of("share", share))).toList());
  }
}
