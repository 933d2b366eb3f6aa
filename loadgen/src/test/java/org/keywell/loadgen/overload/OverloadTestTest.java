package org.keywell.loadgen.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.loadgen.drive.Sample;
import org.keywell.loadgen.schedule.Schedule;
import org.keywell.loadgen.watch.PoolPoint;

final class OverloadTestTest {
  private static final long MILLI = 1_000_000;

  private static BaseRate base(double perSecond) {
    return new BaseRate(100, 4, 92, 91 / perSecond, perSecond, 1);
  }

  static List<ThesisTest> thesis() {
    return ThesisTest.all();
  }

  @ParameterizedTest
  @MethodSource("thesis")
  void predictsWhatTheThesisDoes(ThesisTest row) {
    Prediction predicted =
        Prediction.of(
            base(row.baseRatePerSecond()),
            row.perSecond(),
            Duration.ofNanos(Math.round(row.seconds() * 1e9)));

    assertThat(predicted.queue()).isCloseTo(row.calculatedQueue(), Offset.offset(0.7));
    // The thesis rounds Si to 38 ms, and in its last row takes the actual queue.
    assertThat(predicted.latencySeconds())
        .isCloseTo(row.calculatedLatencySeconds(), Offset.offset(0.3));
  }

  /**
   * One lane of 50 ms, thus BR = 20 per second; 40 requests 25 ms apart, thus CR = 40 for 1 s. By
   * hand: Q = (40 − 20) · 1 = 20, L = 50 ms · 20 = 1 s. The last request is sent at 975 ms, when
   * the requests answered at 50, 100 ... 950 ms are gone: 40 − 19 = 21. It is answered after 40 ·
   * 50 ms: 2,000 − 975 = 1,025 ms.
   */
  @Test
  void aSmallCaseByHand() {
    Schedule schedule = Schedule.constant("c", 40, 1);
    List<Sample> samples = lane(schedule, 50 * MILLI);
    Prediction predicted = Prediction.of(base(20), 40, Duration.ofSeconds(1));

    OverloadTest test =
        OverloadTest.of(
            1,
            predicted,
            schedule,
            samples,
            List.of(new PoolPoint(0, 3, 0, 0), new PoolPoint(0.9, 19, 0, 0)));

    assertThat(predicted.queue()).isCloseTo(20, Offset.offset(1e-9));
    assertThat(predicted.latencySeconds()).isCloseTo(1, Offset.offset(1e-6));
    assertThat(test.actualQueue()).isEqualTo(21);
    assertThat(test.polledQueue()).isEqualTo(19);
    assertThat(test.actualLatencySeconds()).isCloseTo(1.025, Offset.offset(1e-9));
    assertThat(test.queueAccuracy()).isCloseTo(95, Offset.offset(1e-9));
    assertThat(test.latencyAccuracy()).isCloseTo(97.5, Offset.offset(1e-4));
    assertThat(test.accuracy()).hasValueCloseTo(95.0, Offset.offset(1e-9));
    assertThat(test.dropped()).isZero();
    assertThat(test.backlog().getFirst().requests()).isEqualTo(1);
    assertThat(test.backlog().getLast().requests()).isZero();
  }

  /** Whatever the rates, the formulas are right for an even lane, to a request and its service. */
  @Test
  void anEvenLaneIsPredictedRight() {
    Random random = new Random(20_260_105);
    for (int i = 0; i < 100; i++) {
      double br = 5 + random.nextDouble() * 500;
      double cr = br * (1.1 + random.nextDouble() * 4);
      Schedule schedule = Schedule.constant("c", cr, random.nextInt(200, 2_000) / cr);
      Prediction predicted =
          Prediction.of(base(br), cr, Duration.ofNanos(schedule.durationNanos()));

      OverloadTest test =
          OverloadTest.of(1, predicted, schedule, lane(schedule, Math.round(1e9 / br)), List.of());

      assertThat((double) test.actualQueue()).isCloseTo(predicted.queue(), Offset.offset(2.0));
      assertThat(test.actualLatencySeconds())
          .isCloseTo(predicted.latencySeconds(), Offset.offset(2.0 / br));
      assertThat(test.polledQueue()).isNull();
    }
  }

  @Test
  void aLastRequestWithoutASignatureHasNoLatency() {
    Schedule schedule = Schedule.constant("c", 40, 1);
    List<Sample> samples = new ArrayList<>(lane(schedule, 50 * MILLI).subList(0, 39));
    samples.add(Answered.refused(40, 975 * MILLI, 976 * MILLI));

    OverloadTest test =
        OverloadTest.of(
            1, Prediction.of(base(20), 40, Duration.ofSeconds(1)), schedule, samples, List.of());

    assertThat(test.actualLatencySeconds()).isNull();
    assertThat(test.latencyAccuracy()).isNull();
    assertThat(test.accuracy()).isEmpty();
    assertThat(test.dropped()).isEqualTo(1);
  }

  /** One request after the other, each for the same time. */
  private static List<Sample> lane(Schedule schedule, long serviceNanos) {
    List<Sample> samples = new ArrayList<>();
    long free = 0;
    for (int request = 1; request <= schedule.requests(); request++) {
      long due = schedule.dueNanos(request);
      free = Math.max(free, due) + serviceNanos;
      samples.add(Answered.signed(request, due, free, serviceNanos / 1_000));
    }
    return samples;
  }

  @Test
  void ratesArePerSecondOrTimesTheBaseRate() {
    assertThat(TestRate.parse(" 40 ").perSecond(26)).isEqualTo(40);
    assertThat(TestRate.parse("1.5x").perSecond(26)).isEqualTo(39);
    assertThat(TestRate.parse("2X").perSecond(26)).isEqualTo(52);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "1x", "0.5x", "x", "1e3", "40/s", "NaN", "1.5 x"})
  void whatIsNoRateAboveTheBaseRateIsRejected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TestRate.parse(text))
        .withMessageStartingWith("'");
  }
}
