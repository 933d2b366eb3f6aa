package org.keywell.service.sign;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ServiceTimeTest {

  @Test
  void predictsNothingBeforeTheFirstRequest() {
    assertThat(new ServiceTime(1).predictedWait(100)).isZero();
  }

  @Test
  void predictsTheThesisProduct() {
    ServiceTime time = new ServiceTime(1);
    time.add(Duration.ofMillis(10));

    assertThat(time.predictedWait(0)).isZero();
    assertThat(time.predictedWait(150)).isEqualTo(Duration.ofMillis(1_500));
  }

  @Test
  void handlersShareTheWork() {
    ServiceTime time = new ServiceTime(4);
    time.add(Duration.ofMillis(10));

    assertThat(time.predictedWait(100)).isEqualTo(Duration.ofMillis(250));
  }

  @Test
  void followsAChangeWithoutJumping() {
    ServiceTime time = new ServiceTime(1);
    time.add(Duration.ofMillis(10));
    time.add(Duration.ofMillis(110));
    assertThat(time.predictedWait(1)).isEqualTo(Duration.ofMillis(20));

    for (int i = 0; i < 100; i++) {
      time.add(Duration.ofMillis(110));
    }
    assertThat(time.predictedWait(1)).isCloseTo(Duration.ofMillis(110), Duration.ofMillis(1));
  }

  @Test
  void theLongestQueueOfSlowRequestsDoesNotOverflow() {
    ServiceTime time = new ServiceTime(1);
    time.add(Duration.ofMinutes(1));

    assertThat(time.predictedWait(100_000)).isEqualTo(Duration.ofMinutes(100_000));
  }
}
