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
            "With a key made for each request, 120 of 150 requests were dropped",
            "the key pool gave 1 signatures per second, and keys made on the fly 0.2: 5.0 times",
            "5.0 times as many (of 30 and 150 answers)",
            "The thesis (section 5.1) has 37",
            "<b class=\"good\">met</b> factor&gt;2 (it is 5.00)",
            "<dd>120 → 0</dd>",
            "<dd>× 5.0</dd>",
            "KEYWELL_SIGN_QUEUELIMIT=50",
            "Latency of each step, of both systems",
            "<h2>Key made on the fly</h2>",
            "<h2>Key pool</h2>")
        .containsOnlyOnce("its times are simulated")
        .doesNotContain("times as short", "undefined", "NaN");
  }

  @Test
  void belowThirtyAnswersOfOneSystemNothingIsCompared() throws Exception {
    assertThat(page(both(145)))
        .contains("too few to compare (n = 29)", "30 answers")
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
        .contains("Key made on the fly: 1 wrong answers")
        .doesNotContain("Key pool: 1 wrong");
  }
}
