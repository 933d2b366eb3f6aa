package org.keywell.loadgen.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.drive.Outcome;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.schedule.Step;
import org.keywell.loadgen.schedule.ThesisRamp;

final class PeakFiguresTest {
  private static final long MILLI = 1_000_000;

  /** 1, 5, 10, 5 and 2 per second: the peak is from 4 s to 4 + 2 + 1 + 2 = 9 s. */
  private static final Schedule SCHEDULE =
      Schedule.of(
          "up and down",
          List.of(
              new Step(1, 4, 1_000 * MILLI, false),
              new Step(5, 14, 200 * MILLI, false),
              new Step(15, 24, 100 * MILLI, false),
              new Step(25, 34, 200 * MILLI, false),
              new Step(35, 36, 500 * MILLI, false)));

  /** Every request is answered when it is due, those that are not in the list are refused. */
  private static List<Sample> answered(long... millis) {
    List<Sample> samples = new ArrayList<>();
    for (int request = 1; request <= SCHEDULE.requests(); request++) {
      long due = SCHEDULE.dueNanos(request);
      samples.add(new Sample(request, due, due, due, new Outcome.Refused("queue-full")));
    }
    for (int i = 0; i < millis.length; i++) {
      samples.set(i, new Sample(i + 1, 0, 0, millis[i] * MILLI, signed()));
    }
    return samples;
  }

  private static Outcome signed() {
    return Samples.byHand().getFirst().outcome();
  }

  @Test
  void isAroundTheHighestRate() {
    PeakFigures peak = PeakFigures.of(SCHEDULE, answered(100)).orElseThrow();

    assertThat(peak.from()).isEqualTo(4);
    assertThat(peak.to()).isEqualTo(9);
    assertThat(peak.due()).isEqualTo(30 / 5.0);
    assertThat(peak.answers()).isZero();
    assertThat(peak.perSecond()).isZero();
  }

  @Test
  void inTheThesissRampItIsFiftyAndMore() {
    List<Sample> refused = new ArrayList<>();
    Schedule ramp = ThesisRamp.printed();
    for (int request = 1; request <= ramp.requests(); request++) {
      long due = ramp.dueNanos(request);
      refused.add(new Sample(request, due, due, due, new Outcome.Refused("queue-full")));
    }

    PeakFigures peak = PeakFigures.of(ramp, refused).orElseThrow();

    assertThat(peak.to() - peak.from()).isCloseTo(5, Offset.offset(1e-9));
    assertThat(peak.due()).isCloseTo(60, Offset.offset(1e-9));
  }

  /**
   * Answers at 4.5, 5.1, 5.7 and 6.3 s are three intervals in 1.8 s, those outside do not count.
   */
  @Test
  void theRateIsThatBetweenTheAnswers() {
    PeakFigures peak =
        PeakFigures.of(SCHEDULE, answered(3_999, 4_500, 5_100, 5_700, 6_300, 9_000)).orElseThrow();

    assertThat(peak.answers()).isEqualTo(4);
    assertThat(peak.perSecond()).isCloseTo(3 / 1.8, Offset.offset(1e-9));
  }

  /**
   * The last request that was due at the peak, the 34th at 8.8 s, is answered at 12 s: until then
   * the service is as busy as at the peak.
   */
  @Test
  void answersCountUntilThePeaksOwnRequestsHaveTheirs() {
    List<Sample> samples = answered(4_500, 6_500, 8_500, 10_500, 13_000);
    Sample last = samples.get(33);
    samples.set(33, new Sample(34, last.dueNanos(), last.dueNanos(), 12_000 * MILLI, signed()));

    PeakFigures peak = PeakFigures.of(SCHEDULE, samples).orElseThrow();

    assertThat(peak.to()).isEqualTo(9);
    assertThat(peak.answers()).isEqualTo(5);
    assertThat(peak.perSecond()).isCloseTo(4 / 7.5, Offset.offset(1e-9));
  }

  @Test
  void oneAnswerIsOneInTheWholeTime() {
    assertThat(PeakFigures.of(SCHEDULE, answered(5_000)).orElseThrow().perSecond()).isEqualTo(0.2);
  }

  @Test
  void aRunThatDidNotComePastItHasNone() {
    assertThat(PeakFigures.of(SCHEDULE, answered(5_000).subList(0, 33))).isEmpty();
    assertThat(PeakFigures.of(SCHEDULE, answered(5_000).subList(0, 34))).isPresent();
  }
}
