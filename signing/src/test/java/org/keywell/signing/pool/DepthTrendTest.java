package org.keywell.signing.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class DepthTrendTest {

  private static final long SECOND = 1_000_000_000L;

  /** Close to its overflow, as {@link System#nanoTime} may be. */
  private static final long START = Long.MAX_VALUE - 20 * SECOND;

  private final DepthTrend trend = new DepthTrend();
  private long second;

  private void nextSecond(long depth) {
    trend.add(START + second * SECOND, depth);
    second++;
  }

  @Test
  void knowsNothingAtFirst() {
    assertThat(trend.drainPerSecond()).isZero();
    assertThat(trend.fillPerSecond()).isZero();

    nextSecond(5_000);

    assertThat(trend.drainPerSecond()).isZero();
    assertThat(trend.fillPerSecond()).isZero();
  }

  @Test
  void aDrainShowsAtItsFullRateWithinTenSeconds() {
    long depth = 10_000;
    for (int i = 0; i < 120; i++) {
      nextSecond(depth);
    }
    for (int i = 0; i < 10; i++) {
      depth -= 50;
      nextSecond(depth);
    }

    assertThat(trend.drainPerSecond()).isEqualTo(50, within(1e-9));
    assertThat(trend.fillPerSecond()).isZero();
  }

  @Test
  void aPauseOfAMomentDoesNotHideADrain() {
    long depth = 10_000;
    for (int i = 0; i <= 60; i++) {
      nextSecond(depth);
      depth -= i < 50 ? 60 : 0;
    }

    assertThat(trend.drainPerSecond()).isEqualTo(50, within(1e-9));
  }

  @Test
  void whatIsOlderThanAMinuteIsForgotten() {
    long depth = 10_000;
    for (int i = 0; i < 30; i++) {
      nextSecond(depth -= 100);
    }
    for (int i = 0; i <= 60; i++) {
      nextSecond(depth);
    }

    assertThat(trend.drainPerSecond()).isZero();
  }

  @Test
  void fillingIsNoDrain() {
    for (int i = 0; i < 100; i++) {
      nextSecond(8L * i);
    }

    assertThat(trend.fillPerSecond()).isEqualTo(8, within(1e-9));
    assertThat(trend.drainPerSecond()).isZero();
  }

  @Test
  void samplesThatAreTooCloseSayNothing() {
    trend.add(START, 100);
    trend.add(START + 1_000_000, 0);

    assertThat(trend.drainPerSecond()).isZero();
  }

  /**
   * Whatever the history: rates are numbers, not both of a kind, and depend on differences only.
   */
  @Test
  void holdsForRandomHistories() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      DepthTrend one = new DepthTrend();
      DepthTrend deeper = new DepthTrend();
      long nanos = random.nextLong();
      long depth = random.nextInt(1_000);
      long lowest = depth;
      long highest = depth;
      for (int step = 0; step < 200; step++) {
        one.add(nanos, depth);
        deeper.add(nanos, depth + 777);
        double drain = one.drainPerSecond();
        double fill = one.fillPerSecond();

        assertThat(drain).as("seed %s, step %s", seed, step).isBetween(0.0, Double.MAX_VALUE);
        assertThat(fill).as("seed %s, step %s", seed, step).isBetween(0.0, Double.MAX_VALUE);
        assertThat(deeper.drainPerSecond()).isEqualTo(drain);
        assertThat(deeper.fillPerSecond()).isEqualTo(fill);
        assertThat(Math.max(drain, fill))
            .as("no faster than the depth ever moved; seed %s, step %s", seed, step)
            .isLessThanOrEqualTo((highest - lowest) / 0.5);
        nanos += 200_000_000L + random.nextLong(3 * SECOND);
        depth = Math.max(0, depth + random.nextInt(200) - 110);
        lowest = Math.min(lowest, depth);
        highest = Math.max(highest, depth);
      }
    }
  }

  /** The promise that alerts rest on: at a steady drain, the depth is gone when it says. */
  @Test
  void predictsASteadyDrainWhateverTheIntervals() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      DepthTrend steady = new DepthTrend();
      long perSecond = 1L + random.nextInt(500);
      long nanos = random.nextLong();
      double elapsed = 0;
      for (int step = 0; step < 100; step++) {
        steady.add(nanos, 1_000_000 - Math.round(perSecond * elapsed));
        double gap = 0.5 + 2 * random.nextDouble();
        elapsed += gap;
        nanos += Math.round(gap * SECOND);
      }

      // Depths are whole keys, so the rate is off by one key in ten seconds at the most.
      assertThat(steady.drainPerSecond())
          .as("seed %s", seed)
          .isEqualTo((double) perSecond, within(0.11));
    }
  }
}
