package org.keywell.loadgen.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.keywell.loadgen.drive.Sample;

final class BaseRateTest {
  private static final long MILLI = 1_000_000;

  /**
   * A service that takes one request after the other and answers each one {@code restNanos} later,
   * or up to {@code mostJitter} after that.
   */
  private static List<Sample> always(
      int requests,
      int callers,
      long serviceNanos,
      long restNanos,
      Random jitter,
      long mostJitter) {
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= requests; i++) {
      long answered =
          i * serviceNanos + restNanos + (mostJitter == 0 ? 0 : jitter.nextLong(mostJitter));
      long sent = Math.max(0, (i - callers) * serviceNanos);
      samples.add(Answered.signed(i, sent, answered, serviceNanos / 1_000));
    }
    return samples;
  }

  /** Answers each 40 ms, from 43 ms on: 25 a second, whatever comes before and after. */
  @Test
  void isTheRateOfAServiceThatIsAlwaysBusy() {
    BaseRate base =
        BaseRate.of(always(100, 8, 40 * MILLI, 3 * MILLI, new Random(1), 0), 8).orElseThrow();

    // Of 100 answers the first and the last 8 do not count: 83 intervals of 40 ms.
    assertThat(base.answers()).isEqualTo(84);
    assertThat(base.seconds()).isCloseTo(83 * 0.040, Offset.offset(1e-9));
    assertThat(base.perSecond()).isCloseTo(25, Offset.offset(1e-9));
    assertThat(base.signingMillis()).isCloseTo(40, Offset.offset(1e-9));
    assertThat(base.busy()).isCloseTo(1, Offset.offset(1e-9));
    assertThat(base.mayBeTooLow()).isFalse();
  }

  /** The error is that of one interval's ends, however long the trial. */
  @Test
  void jitterOfTheAnswersMattersLessTheLongerTheTrialIs() {
    Random random = new Random(20_260_103);
    for (int i = 0; i < 100; i++) {
      long service = random.nextLong(MILLI / 2, 50 * MILLI);
      long jitter = random.nextLong(1, service);
      int callers = random.nextInt(2, 40);
      int requests = random.nextInt(2 * callers + 50, 1_000);

      BaseRate base =
          BaseRate.of(always(requests, callers, service, MILLI, random, jitter), callers)
              .orElseThrow();

      double intervals = base.answers() - 1;
      double largestError = 2.0 * jitter / service / intervals;
      assertThat(base.perSecond() * service / 1e9)
          .isBetween(1 / (1 + largestError), 1 / (1 - Math.min(0.99, largestError)));
    }
  }

  @Test
  void theOrderOfSamplesAndRefusalsDoNotMatter() {
    List<Sample> samples = new ArrayList<>(always(100, 4, 10 * MILLI, 0, new Random(2), 0));
    double before = BaseRate.of(samples, 4).orElseThrow().perSecond();
    samples.add(Answered.refused(101, 0, 500 * MILLI));
    Collections.shuffle(samples, new Random(3));

    assertThat(BaseRate.of(samples, 4).orElseThrow().perSecond()).isEqualTo(before);
  }

  @Test
  void aServiceThatWaitsForRequestsIsNotMeasured() {
    // One answer each 40 ms, but only 10 ms of work for each.
    List<Sample> samples = new ArrayList<>();
    for (int i = 1; i <= 60; i++) {
      samples.add(Answered.signed(i, (i - 1) * 40L * MILLI, i * 40L * MILLI, 10_000));
    }

    BaseRate base = BaseRate.of(samples, 2).orElseThrow();

    assertThat(base.busy()).isCloseTo(0.25, Offset.offset(1e-9));
    assertThat(base.mayBeTooLow()).isTrue();
  }

  @Test
  void tooFewAnswersAreNone() {
    assertThat(BaseRate.of(List.of(), 2)).isEmpty();
    assertThat(BaseRate.of(always(13, 2, MILLI, 0, new Random(1), 0), 2)).isEmpty();
    assertThat(BaseRate.of(always(14, 2, MILLI, 0, new Random(1), 0), 2)).isPresent();
  }
}
