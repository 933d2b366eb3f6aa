package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.keywell.client.CommitTimes;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;

/** Every figure is compared with what comes out by hand. */
final class RunFiguresTest {
  private final RunFigures figures = RunFigures.of(Samples.SCHEDULE, Samples.byHand());

  /** An HdrHistogram of three digits is right within a thousandth. */
  private static Offset<Double> near(double value) {
    return Offset.offset(value / 1_000);
  }

  @Test
  void outcomesAreCountedApart() {
    Figures totals = figures.totals();

    assertThat(totals.due()).isEqualTo(10);
    assertThat(totals.signed()).isEqualTo(7);
    assertThat(totals.refused()).isEqualTo(1);
    assertThat(totals.failed()).isZero();
    assertThat(totals.timeouts()).isEqualTo(1);
    assertThat(totals.connectionErrors()).isZero();
    assertThat(totals.unsent()).isEqualTo(1);
    assertThat(totals.abandoned()).isZero();
    assertThat(totals.dropped()).isEqualTo(3);
    assertThat(totals.preGenerated()).isEqualTo(6);
    assertThat(totals.problems()).isEqualTo(Map.of("urn:keywell:problem:queue-full", 1));
  }

  @Test
  void sharesAreOfAllThatWereDueAndLimitsAreWithin() {
    // 100, 200, 300 and 100 ms; then also 3,000 and 400 ms.
    assertThat(figures.totals().share300()).isEqualTo(0.4);
    assertThat(figures.totals().share3000()).isEqualTo(0.6);
  }

  @Test
  void latenciesAreOfTheSigned() {
    // In order: 100, 100, 200, 300, 400, 3000, 4000 ms.
    Latency fromDue = Objects.requireNonNull(figures.totals().fromDue());

    assertThat(fromDue.p50()).isCloseTo(300, near(300));
    assertThat(fromDue.p90()).isCloseTo(4_000, near(4_000));
    assertThat(fromDue.p99()).isCloseTo(4_000, near(4_000));
    assertThat(fromDue.max()).isEqualTo(4_000);
    assertThat(fromDue.mean()).isCloseTo(8_100 / 7.0, Offset.offset(1e-9));
  }

  @Test
  void latenciesFromSendLeaveOutTheDriversLateness() {
    Latency fromSend = Objects.requireNonNull(figures.totals().fromSend());
    Latency lateness = Objects.requireNonNull(figures.sendLateness());

    assertThat(fromSend.max()).isEqualTo(3_999);
    assertThat(fromSend.mean()).isCloseTo((8_100 - 10 - 1) / 7.0, Offset.offset(1e-9));
    assertThat(lateness.max()).isEqualTo(10);
    assertThat(lateness.mean()).isCloseTo(11 / 9.0, Offset.offset(1e-9));
  }

  @Test
  void stepsCountWhatWasDueInThemAndRateWhatWasAnsweredInThem() {
    assertThat(figures.steps()).hasSize(2);
    StepFigures first = figures.steps().getFirst();
    StepFigures second = figures.steps().getLast();

    assertThat(first.figures().signed()).isEqualTo(4);
    assertThat(first.perSecondDue()).isEqualTo(1);
    // Three answers before 4 s.
    assertThat(first.perSecondAchieved()).isEqualTo(0.75);
    assertThat(second.startSeconds()).isEqualTo(4);
    assertThat(second.durationSeconds()).isEqualTo(3);
    assertThat(second.figures().due()).isEqualTo(6);
    assertThat(second.figures().dropped()).isEqualTo(3);
    // Answers at 4.6, 5.9 and 6.0 s, the last one of the first step's requests.
    assertThat(second.perSecondAchieved()).isEqualTo(1);
    assertThat(second.figures().share300()).isCloseTo(1 / 6.0, Offset.offset(1e-9));
  }

  /**
   * Of 190 ms since it was sent, the second request spent 12 ms in the service and 5 in the commit.
   */
  @Test
  void theCommitsAndWhatTheServiceDoesNotSeeAreStagesToo() {
    Sample second = Samples.byHand().get(1);
    Outcome.Signed told =
        new Outcome.Signed(
            ((Outcome.Signed) second.outcome()).response(), new CommitTimes(1_500L, 5_000L));

    assertThat(StageTime.ACCEPT.micros(second, told)).hasValue(1_500);
    assertThat(StageTime.QUEUE.micros(second, told)).hasValue(500);
    assertThat(StageTime.RECORD.micros(second, told)).hasValue(5_000);
    assertThat(StageTime.UNSEEN.micros(second, told)).hasValue(190_000 - 12_000 - 5_000);
  }

  @Test
  void stagesAreBetweenTheTimesThatTheServiceTells() {
    // The queue took as many ms as the request's number: 1, 2, 3, 4, 6, 8, 10.
    StageFigures queue = figures.stages().getFirst();

    assertThat(queue.stage()).isEqualTo("queue");
    assertThat(queue.requests()).isEqualTo(7);
    assertThat(queue.mean()).isCloseTo(34 / 7.0, Offset.offset(1e-9));
    assertThat(queue.max()).isEqualTo(10);
    assertThat(figures.stages())
        .extracting(StageFigures::stage)
        .containsExactly("queue", "key", "sign", "certify", "unseen");
    assertThat(figures.stages().get(2).mean()).isEqualTo(2);
  }

  @Test
  void slicesEndWhereStepsDo() {
    // Four requests and six are a slice each; answers after the last step are in one of their own.
    assertThat(figures.durationSeconds()).isEqualTo(65);
    assertThat(figures.rates().stream().map(RatePoint::from)).containsExactly(0.0, 4.0, 7.0);
    assertThat(figures.rates().stream().map(RatePoint::due)).containsExactly(1.0, 2.0, 0.0);
    assertThat(figures.rates().getFirst().achieved()).isEqualTo(0.75);
    assertThat(figures.rates().get(1).achieved()).isEqualTo(1);
    assertThat(figures.rates().getLast().achieved() * 58).isCloseTo(1, Offset.offset(1e-6));
  }

  @Test
  void nothingDueIsNothingWrong() {
    RunFigures none = RunFigures.of(Samples.SCHEDULE, List.of());

    assertThat(none.totals().due()).isZero();
    assertThat(none.totals().share300()).isZero();
    assertThat(none.totals().fromDue()).isNull();
    assertThat(none.steps()).isEmpty();
  }

  @Test
  void anInterruptedRunHasPartOfAStep() {
    RunFigures some = RunFigures.of(Samples.SCHEDULE, Samples.byHand().subList(0, 6));

    assertThat(some.steps().getLast().figures().due()).isEqualTo(2);
  }
}
