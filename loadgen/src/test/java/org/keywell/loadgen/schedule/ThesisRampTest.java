package org.keywell.loadgen.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ThesisRampTest {

  @Test
  void isTheTableAsPrinted() {
    Schedule ramp = ThesisRamp.printed();

    assertThat(ramp.steps()).hasSize(22).allMatch(s -> s.requests() == 100 && !s.inferred());
    assertThat(ramp.steps().stream().map(s -> s.delayNanos() / 1_000_000))
        .containsExactly(
            1000L, 800L, 700L, 600L, 500L, 400L, 300L, 200L, 100L, 90L, 80L, 70L, 50L, 20L, 10L,
            20L, 50L, 70L, 80L, 90L, 100L, 200L);
    assertThat(ramp.requests()).isEqualTo(2_200);
    assertThat(ramp.durationNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(553));
    assertThat(ramp.highestPerSecond()).isEqualTo(100);
  }

  @Test
  void hasEachRequestAtItsTime() {
    Schedule ramp = ThesisRamp.printed();

    assertThat(ramp.dueNanos(1)).isZero();
    assertThat(ramp.dueNanos(2)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(1_000));
    // 99 delays of 1 s, and the one after the step's last request.
    assertThat(ramp.dueNanos(101)).isEqualTo(TimeUnit.SECONDS.toNanos(100));
    assertThat(ramp.dueNanos(102)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100_800));
    assertThat(ramp.dueNanos(2_200)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(552_800));
  }

  @Test
  void theFullRampReturnsToWhereItBegan() {
    Schedule full = ThesisRamp.full();
    List<Step> printed = ThesisRamp.printed().steps();

    assertThat(full.requests()).isEqualTo(3_000);
    assertThat(full.steps().subList(0, 22)).isEqualTo(printed);
    assertThat(full.steps().subList(22, 30)).hasSize(8).allMatch(Step::inferred);
    assertThat(full.steps().getLast().delayNanos()).isEqualTo(printed.getFirst().delayNanos());
    assertThat(full.durationNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(1_073));
  }

  @Test
  void theDescentMirrorsTheClimbButForOneStep() {
    List<Long> delays = ThesisRamp.full().steps().stream().map(Step::delayNanos).toList();
    List<Long> climb = delays.subList(0, 15);
    List<Long> descent = delays.subList(14, 30).reversed();

    assertThat(descent).containsAll(climb).hasSize(climb.size() + 1);
    assertThat(descent).contains(TimeUnit.MILLISECONDS.toNanos(900));
  }
}
