package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.loadgen.report.Comparisons.RIGHT;
import static org.keywell.loadgen.report.Comparisons.both;
import static org.keywell.loadgen.report.Comparisons.run;

import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.verify.Verification;

final class ComparisonDocumentTest {
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
    assertThat(Summary.of(few))
        .contains("too few to compare (n = 29)")
        .doesNotContain("times as many", "times as short");
  }

  @Test
  void thereIsOneFactorAndItIsTheSameEverywhere() {
    assertThat(Summary.of(both("factor>2")))
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
    assertThat(Summary.of(both)).contains("did not come past the peak");
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
  }

  @Test
  void theTerminalHasBothColumns() {
    assertThat(Summary.of(both("factor>2")))
        .contains("SIMULATED: luna", "on the fly", "key pool", "0.20 /s", "1.00 /s")
        .contains("met             factor>2 (it is 5.00)");
  }
}
