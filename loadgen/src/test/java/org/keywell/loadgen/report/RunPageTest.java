package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.schedule.Step;
import org.keywell.loadgen.verify.Verification;
import org.keywell.testkit.Chromium;

/** The page says what a reader must know before believing a figure. */
@Tag("browser")
final class RunPageTest {
  @TempDir private Path folder = Path.of("");

  private String page(RunDocument run) throws Exception {
    return Chromium.shown(Pages.of(run), folder);
  }

  private static RunDocument run(Verification verification, @Nullable String profile) {
    Schedule named =
        Schedule.of(
            "<b>mine</b>",
            List.of(
                Samples.SCHEDULE.steps().getFirst(),
                new Step(5, 12, Samples.SCHEDULE.steps().getLast().delayNanos(), false)));
    return Runs.of(named, Samples.byHand(), verification, profile, null);
  }

  private static Verification verified(int invalid, int distinct) {
    return new Verification("all", "ab", 7, invalid, invalid > 0 ? "bad" : null, 7, distinct);
  }

  @Test
  void tellsResultAndWhatCastsDoubtOnIt() throws Exception {
    assertThat(page(run(verified(0, 7), null)))
        .contains(
            "7 of 10 requests were signed and 3 dropped",
            "interrupted after 10 of 12 requests",
            "The driver itself was late: 10 ms at p99.",
            "limit of 3 requests in flight was reached; not sent: 1.",
            "<b class=\"bad\">not met</b> dropped=0 (it is 3)",
            "kept up with 200 requests per second against a server that does nothing",
            "abc, with changes",
            "told nothing of its queue",
            "test id ramp-1",
            "20 requests before the run",
            "KEYWELL_SIGN_QUEUELIMIT=50",
            "&lt;b&gt;mine&lt;/b&gt;")
        .doesNotContain("<b>mine", "notice wrong", "%s");
  }

  @Test
  void saysWhatMustNeverHappen() throws Exception {
    assertThat(page(run(verified(2, 6), "luna")))
        .contains(
            "2 wrong answers; the first: bad",
            "7 answers have only 6 distinct public keys: a key signed more than once",
            "slowed to the profile luna: its times are simulated");
  }

  @Test
  void twoRunsLieSideBySideEachWithItsOwnDoubts() throws Exception {
    RunDocument doubtful = run(verified(2, 6), "luna");
    String shown =
        Chromium.shown(Pages.sideBySide("first", FixedRun.document(), "second", doubtful), folder);
    assertThat(shown)
        .contains("<h2>A: first</h2>", "<h2>B: second</h2>", "<td>163</td><td>7</td>")
        .containsOnlyOnce("2 wrong answers")
        .doesNotContain("undefined", "NaN");
    assertThat(shown.split("<canvas", -1)).hasSize(1 + 2 * 5);
  }
}
