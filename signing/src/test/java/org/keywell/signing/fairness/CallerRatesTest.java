package org.keywell.signing.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.keywell.signing.caller.Caller;

final class CallerRatesTest {

  private static final Caller TEN = Limited.rate("ten", 10, 3);

  private final AtomicLong nanos = new AtomicLong();
  private final CallerRates rates = new CallerRates(nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private void take(Caller caller, int count) {
    for (int i = 0; i < count; i++) {
      assertThat(rates.take(caller)).isEmpty();
    }
  }

  @Test
  void aBurstMayComeAtOnceAndThenTheRate() {
    take(TEN, 3);

    assertThat(rates.take(TEN)).contains(Duration.ofMillis(100));
    pass(Duration.ofMillis(60));
    assertThat(rates.take(TEN)).contains(Duration.ofMillis(40));
    pass(Duration.ofMillis(40));
    take(TEN, 1);
    assertThat(rates.take(TEN)).isPresent();
  }

  @Test
  void overTimeItIsTheRate() {
    int taken = 0;
    for (int i = 0; i < 100_000; i++) {
      pass(Duration.ofMillis(1));
      taken += rates.take(TEN).isEmpty() ? 1 : 0;
    }

    assertThat(taken).isBetween(1_000, 1_003);
  }

  @Test
  void eachCallerHasItsOwn() {
    take(TEN, 3);

    take(Limited.rate("other", 10, 3), 3);
    assertThat(rates.take(TEN)).isPresent();
  }

  @Test
  void withoutARateNothingIsCounted() {
    take(Limited.rate("free", 0, 0), 1_000);

    assertThat(rates.remembered()).isZero();
  }

  @Test
  void aNewLimitCountsAtOnce() {
    take(TEN, 3);

    take(Limited.rate("ten", 10, 5), 5);
    assertThat(rates.take(Limited.rate("ten", 10, 5))).isPresent();
  }

  @Test
  void whoHasNotAskedForAWhileIsForgotten() {
    for (int i = 0; i < 100; i++) {
      take(Limited.rate("caller-" + i, 10, 3), 3);
    }
    assertThat(rates.remembered()).isEqualTo(100);

    pass(Duration.ofMillis(300));
    take(TEN, 1);

    assertThat(rates.remembered()).isEqualTo(1);
  }
}
