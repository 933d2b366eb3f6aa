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
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

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

  private static RunDocument withPool(RunDocument run) {
    ObjectNode document = JsonMapper.shared().valueToTree(run);
    ObjectNode point = document.putArray("pool").addObject();
    point.put("seconds", 1).put("queueLength", 4).put("stored", 30).put("loaded", 5);
    return JsonMapper.shared().treeToValue(document, RunDocument.class);
  }

  @Test
  void tellsResultAndWhatCastsDoubtOnIt() throws Exception {
    assertThat(page(run(verified(0, 7), null)))
        .contains(
            "<dt>signed, of 10 due</dt><dd>7</dd>",
            "<dt>dropped</dt><dd class=\"bad\">3</dd>",
            "<dt>wrong, of 7 answers checked</dt><dd>0</dd>",
            "Interrupted; requests due: 10 of 12",
            "Driver late, as part of all latencies from due; p99: 10 ms",
            "In-flight limit reached; requests not sent: 1 (limit 3)",
            "<b class=\"bad\">not met</b> dropped=0 (it is 3)",
            "<th scope=\"row\">Self-test, requests per second</th><td>200</td>",
            "<th scope=\"row\">Self-test, driver kept up</th><td>yes</td>",
            "abc, with changes",
            "told nothing of its queue",
            "<td>ramp-1</td>",
            "<th scope=\"row\">Warm-up requests, in no figure</th><td>20</td>",
            "KEYWELL_SIGN_QUEUELIMIT=50",
            "&lt;b&gt;mine&lt;/b&gt;")
        .doesNotContain("<b>mine", "notice wrong", "%s");
  }

  @Test
  void saysWhatMustNeverHappen() throws Exception {
    assertThat(page(run(verified(2, 6), "luna")))
        .contains(
            "<p class=\"notice wrong\">Wrong answers: 2; the first: bad</p>",
            "<p class=\"notice wrong\">A key signed more than once; distinct public keys: 6 of 7</p>",
            "Simulated times, HSM profile: luna");
  }

  @Test
  void twoRunsLieSideBySideEachWithItsOwnDoubts() throws Exception {
    RunDocument doubtful = run(verified(2, 6), "luna");
    RunDocument watched = withPool(FixedRun.document());
    String shown = Chromium.shown(Pages.sideBySide("first", watched, "second", doubtful), folder);
    assertThat(shown)
        .contains("<h2>A: first</h2>", "<h2>B: second</h2>", "<td>163</td><td>7</td>")
        .contains("longest: 4; limit: 50", "fewest stored and loaded: 35")
        .containsOnlyOnce("B: second: Wrong answers: 2")
        .doesNotContain("A: first: Wrong")
        .doesNotContain("undefined", "NaN");
    assertThat(shown.split("<canvas", -1)).hasSize(1 + 5 + 3);
  }
}
