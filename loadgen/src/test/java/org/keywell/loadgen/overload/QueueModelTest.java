package org.keywell.loadgen.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueueModelTest {
  private static final Duration SIGNING = Duration.ofMillis(38);

  /**
   * The columns that the thesis's Table 4-2 predicts. It rounds Q to a whole number in the second
   * and third test before it multiplies. Under the table the third line reads "(0+38 ms) * 2217 =
   * 84018 ms", but 38 · 2,217 is 84,246: the printed latency is 38 · 2,211, of the calculated
   * queue; 2,217 is the actual one.
   */
  @ParameterizedTest
  @CsvSource({
    "40, 75.001, 1027.5, 39.045",
    "50, 59.990, 1422, 54.036",
    "100, 29.995, 2211, 84.018"
  })
  void table42(double rate, double seconds, double printedQueue, double printedLatency) {
    Duration time = Duration.ofMillis(Math.round(seconds * 1000));

    double queue = QueueModel.queueLength(rate, 26.3, time);

    assertThat(queue).isEqualTo(printedQueue, within(0.5));
    assertThat(QueueModel.latency(Duration.ZERO, SIGNING, printedQueue))
        .isEqualTo(Duration.ofMillis(Math.round(printedLatency * 1000)));
    assertThat(QueueModel.latency(Duration.ZERO, SIGNING, queue).toMillis() / 1e3)
        .isEqualTo(printedLatency, within(0.02));
  }

  @Test
  void theBaseRateIsWhatTheLanesGetDone() {
    // 1 / (0.673 s + 0.020 s) = 1.443; 1 / 0.020 s = 50; 4 / 0.020 s = 200.
    assertThat(QueueModel.baseRatePerSecond(Duration.ofMillis(673), Duration.ofMillis(20), 1))
        .isEqualTo(1.443, within(0.0005));
    assertThat(QueueModel.baseRatePerSecond(Duration.ZERO, Duration.ofMillis(20), 1)).isEqualTo(50);
    assertThat(QueueModel.baseRatePerSecond(Duration.ZERO, Duration.ofMillis(20), 4))
        .isEqualTo(200);
  }

  @Test
  void theLimitIsReachedAfterTheLimitOverTheGrowth() {
    // 150 / (50 - 1.443) = 3.089 s.
    assertThat(QueueModel.timeUntilFull(50, 1.443, 150).orElseThrow().toMillis()).isEqualTo(3_089);
    assertThat(QueueModel.timeUntilFull(50, 50, 150)).isEmpty();
  }

  @Test
  void aLatencyMayBeLongerThanNanosecondsReach() {
    // 660 s x 5,760,000,000 = 3.8016e12 s = 44,000,000 days.
    assertThat(QueueModel.latency(Duration.ofMinutes(10), Duration.ofMinutes(1), 5.76e9))
        .isEqualTo(Duration.ofDays(44_000_000));
  }

  @Test
  void atOrBelowTheBaseRateThereIsNoQueue() {
    Random random = new Random(20_250_101);
    for (int i = 0; i < 1_000; i++) {
      double base = random.nextDouble(100);
      double rate = base * random.nextDouble();
      Duration time = Duration.ofMillis(random.nextInt(10_000_000));
      assertThat(QueueModel.queueLength(rate, base, time)).isZero();
      assertThat(QueueModel.queueLength(base, base, time)).isZero();
    }
  }

  @Test
  void theQueueGrowsInProportionToTimeAndTheLatencyToTheQueue() {
    Random random = new Random(20_250_102);
    for (int i = 0; i < 1_000; i++) {
      double base = random.nextDouble(100);
      double rate = base + random.nextDouble(100);
      Duration time = Duration.ofMillis(1 + random.nextInt(1_000_000));
      int factor = 1 + random.nextInt(50);
      double queue = QueueModel.queueLength(rate, base, time);

      assertThat(QueueModel.queueLength(rate, base, time.multipliedBy(factor)))
          .isEqualTo(queue * factor, within(1e-9 * queue * factor));

      Duration signing = Duration.ofMillis(1 + random.nextInt(1_000));
      double withoutPreparation =
          QueueModel.latency(Duration.ZERO, signing, queue).toNanos() / 1e6; // ms
      assertThat(withoutPreparation)
          .isEqualTo(queue * signing.toMillis(), within(1e-6 + 1e-12 * withoutPreparation));
      Duration preparation = Duration.ofMillis(random.nextInt(1_000));
      assertThat(QueueModel.latency(preparation, signing, queue))
          .isEqualTo(QueueModel.latency(Duration.ZERO, preparation.plus(signing), queue));
    }
  }

  @Test
  void theQueueIsAtItsLimitWhenTheTimeUntilFullHasPassed() {
    Random random = new Random(20_250_103);
    for (int i = 0; i < 1_000; i++) {
      double base = random.nextDouble(100);
      double rate = base + 0.01 + random.nextDouble(100);
      int limit = 1 + random.nextInt(500);
      Duration full = QueueModel.timeUntilFull(rate, base, limit).orElseThrow();
      assertThat(QueueModel.queueLength(rate, base, full)).isEqualTo(limit, within(1e-5));
    }
  }

  @Test
  void whatIsNoRateTimeOrQueueIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueModel.queueLength(Double.NaN, 1, Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueModel.queueLength(1, -1, Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueModel.queueLength(1, 1, Duration.ofMillis(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueModel.latency(Duration.ZERO, Duration.ZERO, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueModel.latency(Duration.ZERO, SIGNING, -1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QueueModel.baseRatePerSecond(Duration.ZERO, SIGNING, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> QueueModel.timeUntilFull(2, 1, 0));
  }
}
