package org.keywell.loadgen.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ScheduleTest {
  private static final int CASES = 50;

  static Stream<Schedule> schedules() {
    Random random = new Random(20_260_101);
    return Stream.generate(() -> randomSchedule(random)).limit(CASES);
  }

  private static Schedule randomSchedule(Random random) {
    List<Step> steps = new ArrayList<>();
    int next = 1;
    for (int i = random.nextInt(1, 12); i > 0; i--) {
      int to = next + random.nextInt(60);
      steps.add(new Step(next, to, random.nextLong(1_000, 2_000_000_000L), false));
      next = to + 1;
    }
    return Schedule.of("random", steps);
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void timesBeginAtZeroAndGrowByEachStepsDelay(Schedule schedule) {
    assertThat(schedule.dueNanos(1)).isZero();
    for (int request = 2; request <= schedule.requests(); request++) {
      Step before = schedule.steps().get(schedule.stepOf(request - 1));
      assertThat(schedule.dueNanos(request) - schedule.dueNanos(request - 1))
          .isEqualTo(before.delayNanos());
    }
    Step last = schedule.steps().getLast();
    assertThat(schedule.dueNanos(schedule.requests()) + last.delayNanos())
        .isEqualTo(schedule.durationNanos());
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void aScaleChangesTimesAndNothingElse(Schedule schedule) {
    for (double factor : new double[] {0.01, 0.5, 3}) {
      Schedule scaled = schedule.scaled(factor);

      assertThat(scaled.requests()).isEqualTo(schedule.requests());
      assertThat(scaled.timeScale()).isEqualTo(factor);
      // Each delay is rounded to a nanosecond.
      assertThat((double) scaled.durationNanos())
          .isCloseTo(schedule.durationNanos() * factor, Offset.offset(schedule.requests() + 1.0));
    }
  }

  @ParameterizedTest
  @MethodSource("schedules")
  void theRateAtARequestsTimeIsItsSteps(Schedule schedule) {
    for (int request = 1; request <= schedule.requests(); request++) {
      Step step = schedule.steps().get(schedule.stepOf(request));
      assertThat(schedule.perSecondAt(schedule.dueNanos(request))).isEqualTo(step.perSecond());
    }
    assertThat(schedule.perSecondAt(-1)).isZero();
    assertThat(schedule.perSecondAt(schedule.durationNanos())).isZero();
  }

  @Test
  void aConstantRateIsOneStep() {
    Schedule schedule = Schedule.constant("constant", 40, 75);

    assertThat(schedule.requests()).isEqualTo(3_000);
    assertThat(schedule.durationNanos()).isEqualTo(75_000_000_000L);
  }

  @Test
  void gapsAndExcessAreRejected() {
    Step first = new Step(1, 10, 1, false);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedule.of("gap", List.of(first, new Step(12, 13, 1, false))));
    assertThatIllegalArgumentException().isThrownBy(() -> Schedule.of("none", List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> Schedule.of("long", List.of(new Step(1, Schedule.MAX_REQUESTS + 1, 1, false))));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedule.constant("c", 1, 1).scaled(Double.NaN));
  }
}
