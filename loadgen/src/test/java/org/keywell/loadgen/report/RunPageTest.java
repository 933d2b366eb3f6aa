package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.report.DriverSettings.NullRate;
import org.keywell.loadgen.verify.Verification;

/** The page says what a reader must know before believing a figure. */
final class RunPageTest {

  private static RunDocument run(Verification verification, @Nullable String profile) {
    RunFigures figures = RunFigures.of(Samples.SCHEDULE, Samples.byHand());
    return new RunDocument(
        RunDocument.FORMAT,
        "ramp",
        "<b>mine</b>",
        1,
        12,
        "2026-01-02T03:04:05Z",
        figures.durationSeconds(),
        true,
        profile,
        new RunEnvironment("A CPU", 2, "A JDK", "An OS", 0.5, "abc", true),
        new DriverSettings(
            "http://x", "RSA-2048", 1, 2, 3, 4, figures.sendLateness(), new NullRate(200, true, 1)),
        null,
        figures.totals(),
        figures.steps(),
        figures.stages(),
        figures.rates(),
        List.of(),
        1,
        verification,
        List.of(new RequirementResult("dropped=0", false, "3")));
  }

  private static Verification verified(int invalid, int distinct) {
    return new Verification("all", "ab", 7, invalid, invalid > 0 ? "bad" : null, 7, distinct);
  }

  @Test
  void tellsResultAndWhatCastsDoubtOnIt() {
    assertThat(RunPage.of(run(verified(0, 7), null)))
        .contains(
            "7 of 10 requests were signed and 3 dropped",
            "interrupted after 10 of 12 requests",
            "The driver itself was late: 10 ms at p99.",
            "limit of 3 requests in flight was reached; not sent: 1.",
            "<b class=\"bad\">not met</b> dropped=0 (it is 3)",
            "kept up with 200 requests per second against a server that does nothing",
            "abc, with changes",
            "told nothing of its queue",
            "&lt;b&gt;mine&lt;/b&gt;")
        .doesNotContain("<b>mine", "notice wrong", "%s");
  }

  @Test
  void saysWhatMustNeverHappen() {
    assertThat(RunPage.of(run(verified(2, 6), "luna")))
        .contains(
            "2 wrong answers; the first: bad",
            "7 answers have only 6 distinct public keys: a key signed more than once",
            "slowed to the profile luna: its times are simulated");
  }

  @Test
  void sharesAreNeverRoundedUpToAll() {
    assertThat(RunWords.percent(0.99999)).isEqualTo("99.99 %");
    assertThat(RunWords.percent(1)).isEqualTo("100 %");
    assertThat(RunWords.percent(1e-9)).isEqualTo("0 %");
  }
}
