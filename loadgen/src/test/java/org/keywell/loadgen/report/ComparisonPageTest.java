package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.loadgen.report.Comparisons.RIGHT;
import static org.keywell.loadgen.report.Comparisons.both;
import static org.keywell.loadgen.report.Comparisons.run;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.verify.Verification;
import org.keywell.testkit.Chromium;

@Tag("browser")
final class ComparisonPageTest {
  @TempDir private Path folder = Path.of("");

  private String page(ComparisonDocument both) throws Exception {
    return Chromium.shown(Pages.of(both), folder);
  }

  @Test
  void saysWhatBothCameTo() throws Exception {
    assertThat(page(both("factor>2")))
        .contains(
            "on the fly: 120 of 150",
            "<th scope=\"row\">signed per second at the peak</th><td>0.2</td><td>1</td>",
            "<th scope=\"row\">answers at the peak</th><td>30</td><td>150</td>",
            "throughput at the peak; the thesis: × 37",
            "<b class=\"good\">met</b> factor&gt;2 (it is 5.00)",
            "<dd>120 → 0</dd>",
            "<dd>× 5.0</dd>",
            "KEYWELL_SIGN_QUEUELIMIT=50",
            "Latency in each step – From when requests were due",
            "<h2>Key made on the fly</h2>",
            "<h2>Key pool</h2>")
        .containsOnlyOnce("Simulated times, HSM profile: luna")
        .doesNotContain("times as short", "undefined", "NaN");
  }

  @Test
  void belowThirtyAnswersOfOneSystemNothingIsCompared() throws Exception {
    assertThat(page(both(145)))
        .contains(
            "No factor of throughput: too few to compare (n = 29); answers of each needed at the"
                + " peak: 30")
        .doesNotContain("times as many", "× 5", "times as short");
  }

  @Test
  void aRunWithoutAPeakHasNoFactor() throws Exception {
    RunDocument none =
        Runs.of(Schedule.constant("even", 1, 10), List.of(), RIGHT, null, "on-the-fly");
    assertThat(page(ComparisonDocument.of(none, run(10, 1, 1, "pooled", RIGHT), List.of())))
        .contains("did not come past the peak");
  }

  @Test
  void aWrongSignatureIsToldOfItsOwnSystem() throws Exception {
    Verification wrong = new Verification("all", "ab", 7, 1, "bad", 7, 7);
    assertThat(
            page(
                ComparisonDocument.of(
                    run(10, 1, 1, "on-the-fly", wrong), run(10, 1, 1, "pooled", RIGHT), List.of())))
        .contains("Key made on the fly: Wrong answers: 1; the first: bad")
        .doesNotContain("Key pool: Wrong");
  }
}
