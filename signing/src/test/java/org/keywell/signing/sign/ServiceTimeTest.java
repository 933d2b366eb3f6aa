package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeySpec;

final class ServiceTimeTest {

  private static final KeySpec SPEC = KeySpec.EC_P256;

  private static void add(ServiceTime time, int millis) {
    time.add(SPEC, Duration.ofMillis(millis), Duration.ZERO);
  }

  private static Duration each(ServiceTime time) {
    return Duration.ofNanos(time.nanos(SPEC));
  }

  @Test
  void predictsNothingBeforeTheFirstRequest() {
    assertThat(each(new ServiceTime(1, 1))).isZero();
  }

  @Test
  void eachKindHasItsOwn() {
    ServiceTime time = new ServiceTime(1, 1);
    add(time, 10);
    time.add(KeySpec.RSA_2048, Duration.ofSeconds(1), Duration.ZERO);

    assertThat(each(time)).isEqualTo(Duration.ofMillis(10));
    assertThat(time.nanos(KeySpec.RSA_2048)).isEqualTo(Duration.ofSeconds(1).toNanos());
    assertThat(time.nanos(KeySpec.RSA_3072)).isZero();
  }

  @Test
  void handlersShareTheWork() {
    ServiceTime time = new ServiceTime(4, 2);
    add(time, 10);

    assertThat(each(time)).isEqualTo(Duration.ofNanos(2_500_000));
  }

  /** Keys come at a pace of their own, however many handlers wait for them. */
  @Test
  void handlersDoNotShareTheWaitForAKey() {
    ServiceTime time = new ServiceTime(4, 2);
    time.add(SPEC, Duration.ofMillis(4), Duration.ofMillis(10));

    assertThat(each(time)).isEqualTo(Duration.ofMillis(11));
  }

  @Test
  void whoMakeKeysShareThatAmongThemselves() {
    ServiceTime time = new ServiceTime(4, 2);
    time.addMade(SPEC, Duration.ofMillis(600));

    assertThat(each(time)).isEqualTo(Duration.ofMillis(300));
  }

  @Test
  void followsAChangeWithoutJumping() {
    ServiceTime time = new ServiceTime(1, 1);
    add(time, 10);
    add(time, 110);
    assertThat(each(time)).isEqualTo(Duration.ofMillis(20));

    for (int i = 0; i < 100; i++) {
      add(time, 110);
    }
    assertThat(each(time)).isCloseTo(Duration.ofMillis(110), Duration.ofMillis(1));
  }
}
