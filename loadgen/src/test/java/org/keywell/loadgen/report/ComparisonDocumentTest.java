package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.verify.Verification;

final class ComparisonDocumentTest {
  private static final Verification RIGHT = new Verification("all", "ab", 7, 0, null, 7, 7);

  /** Requests, one a second; some are signed after the given time, the others refused. */
  private static RunDocument run(
      int requests, int signedEvery, int millis, String mode, Verification verification) {
    Schedule schedule = Schedule.constant("even", 1, requests);
    List<Sample> samples = new ArrayList<>();
    for (int request = 1; request <= requests; request++) {
      long due = schedule.dueNanos(request);
      boolean signed = (request - 1) % signedEvery == 0;
      samples.add(
          new Sample(
              request,
              due,
              due,
              due + 1_000_000L * millis,
              signed
                  ? Samples.byHand().getFirst().outcome()
                  : new Outcome.Refused("urn:keywell:problem:queue-full")));
    }
    return Runs.of(schedule, samples, verification, "luna", mode);
  }

  private static ComparisonDocument both(String... requirements) {
    return both(150, requirements);
  }

  /** With as many requests, of which the traditional system signs every fifth. */
  private static ComparisonDocument both(int requests, String... requirements) {
    return ComparisonDocument.of(
        run(requests, 5, 1_000, "on-the-fly", RIGHT),
        run(requests, 1, 100, "pooled", RIGHT),
        List.of(requirements).stream().map(ComparisonRequirement::parse).toList());
  }

  /** Answers at 1, 6, 11 s and so on are 0.2 a second; those at 0.1, 1.1 s and so on are 1. */
  @Test
  void theFactorIsThatOfTheThroughputsAtThePeak() {
    assertThat(both().throughputFactor()).isCloseTo(5, Offset.offset(1e-9));
  }

  /** 145 requests have 29 answers of the traditional system. */
  @Test
  void belowThirtyAnswersOfOneSystemNothingIsCompared() {
    ComparisonDocument few = both(145, "factor>1");

    assertThat(few.throughputFactor()).isZero();
    assertThat(few.requirements().getFirst().met()).isFalse();
    assertThat(few.requirements().getFirst().actual()).contains("too few to compare (n = 29)");
    assertThat(SystemsPage.of(few))
        .contains("too few to compare (n = 29)", "30 answers")
        .doesNotContain("times as many", "× 5", "times as short");
    assertThat(ComparisonSummary.of(few))
        .contains("too few to compare (n = 29)")
        .doesNotContain("times as many", "times as short");
  }

  @Test
  void thereIsOneFactorAndItIsTheSameEverywhere() {
    assertThat(SystemsPage.of(both()))
        .contains("<b>× 5.0</b>", "5.0 times as many (of 30 and 150 answers)")
        .doesNotContain("times as short");
    assertThat(ComparisonSummary.of(both("factor>2")))
        .contains("5.0 times as many", "it is 5.00")
        .doesNotContain("times as short");
  }

  @Test
  void aRunWithoutAPeakHasNoFactor() {
    RunDocument none =
        Runs.of(Schedule.constant("even", 1, 10), List.of(), RIGHT, null, "on-the-fly");

    ComparisonDocument both =
        ComparisonDocument.of(
            none, run(10, 1, 1, "pooled", RIGHT), List.of(ComparisonRequirement.parse("factor>1")));

    assertThat(both.throughputFactor()).isZero();
    assertThat(both.requirements().getFirst().met()).isFalse();
    assertThat(SystemsPage.of(both)).contains("did not come past the peak");
  }

  @ParameterizedTest
  @CsvSource({
    "dropped=0, true",
    "pooled.dropped=0, true",
    "max<=100ms, true",
    "max<0.1s, false",
    "on-the-fly.max=1s, true",
    "on-the-fly.dropped=80%, true",
    "on-the-fly.p50<0.1s, false",
    "factor>4.9, true",
    "factor>=5.1, false",
    "'factor < 6 ', true",
  })
  void requirementsAreOnOneRunOrBoth(String text, boolean met) {
    RequirementResult result = both(text).requirements().getFirst();

    assertThat(result.met()).isEqualTo(met);
    assertThat(result.requirement()).isEqualTo(text.strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"factor", "factor>2x", "factor>2%", "on-the-fly.factor>2", "other.p99<1ms", "x=1"})
  void whatIsNotUnderstoodIsRejected(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> ComparisonRequirement.parse(text));
  }

  @Test
  void oneWrongSignatureIsEnough() {
    Verification wrong = new Verification("all", "ab", 7, 1, "bad", 7, 7);

    ComparisonDocument both =
        ComparisonDocument.of(
            run(10, 1, 1, "on-the-fly", wrong), run(10, 1, 1, "pooled", RIGHT), List.of());

    assertThat(both.allSignaturesRight()).isFalse();
    assertThat(SystemsPage.of(both))
        .contains("Key made on the fly: 1 wrong answers")
        .doesNotContain("Key pool: 1 wrong");
  }

  @Test
  void thePageSaysWhatBothCameTo() {
    assertThat(SystemsPage.of(both("factor>2")))
        .contains(
            "With a key made for each request, 120 of 150 requests were dropped",
            "the key pool gave 1 signatures per second, and keys made on the fly 0.2: 5.0 times",
            "The thesis (section 5.1) has 37",
            "<b class=\"good\">met</b> factor&gt;2 (it is 5.00)",
            "<b>120 → 0</b>",
            "KEYWELL_SIGN_QUEUELIMIT=50",
            "both-latencies",
            "onthefly-latencies",
            "pooled-latencies")
        .containsOnlyOnce("its times are simulated")
        .doesNotContain("%s");
  }

  @Test
  void theTerminalHasBothColumns() {
    assertThat(ComparisonSummary.of(both("factor>2")))
        .contains("SIMULATED: luna", "on the fly", "key pool", "0.20 /s", "1.00 /s")
        .contains("met             factor>2 (it is 5.00)");
  }
}
