package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class SigningActivityTest {

  private final AtomicLong nanos = new AtomicLong();
  private final SigningActivity activity = new SigningActivity(Duration.ofMillis(200), nanos::get);

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void isIdleFromTheStart() {
    assertThat(activity.isIdle()).isTrue();
  }

  @Test
  void isBusyWhileARequestIsInProgressAndForAMomentAfter() {
    activity.began();
    activity.began();
    pass(Duration.ofSeconds(10));
    assertThat(activity.isIdle()).isFalse();

    activity.ended();
    pass(Duration.ofSeconds(10));
    assertThat(activity.isIdle()).isFalse();

    activity.ended();
    pass(Duration.ofMillis(199));
    assertThat(activity.isIdle()).isFalse();
    pass(Duration.ofMillis(1));
    assertThat(activity.isIdle()).isTrue();
  }

  @Test
  void tellsHowLongNoRequestHasBeenAtHand() {
    activity.began();
    pass(Duration.ofSeconds(10));
    assertThat(activity.idleFor()).isZero();

    activity.ended();
    pass(Duration.ofSeconds(3));
    assertThat(activity.idleFor()).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void waitingEndsWhenTheDeviceIsIdle() throws InterruptedException {
    assertThat(activity.awaitIdle(Duration.ofNanos(1), nanos::get)).isTrue();
  }

  /** The moment may end between two readings of the clock; a wait of 0 would last for ever. */
  @Test
  @Timeout(30)
  void waitingEndsEvenIfTheDeviceGetsIdleWithinIt() throws InterruptedException {
    LongSupplier eachReadingTakesAWhile = () -> nanos.addAndGet(1);
    for (int idleAfter = 1; idleAfter < 20; idleAfter++) {
      SigningActivity slow =
          new SigningActivity(Duration.ofNanos(idleAfter), eachReadingTakesAWhile);
      slow.began();
      slow.ended();
      assertThat(slow.awaitIdle(Duration.ofSeconds(1), () -> 0)).isTrue();
    }
  }

  @Test
  void waitingEndsWithItsTimeWhileARequestIsInProgress() throws InterruptedException {
    SigningActivity busy = new SigningActivity(Duration.ZERO, System::nanoTime);
    busy.began();

    assertThat(busy.awaitIdle(Duration.ofNanos(1), nanos::get)).isFalse();
  }

  @Test
  void refusesANegativeMoment() {
    assertThatThrownBy(() -> new SigningActivity(Duration.ofMillis(-1), nanos::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("idle-after");
  }
}
