package org.keywell.service.launch;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@Timeout(20)
@ExtendWith(OutputCaptureExtension.class)
final class BoundedStopTest {

  private final CountDownLatch overtime = new CountDownLatch(1);
  private final CountDownLatch halted = new CountDownLatch(1);

  private BoundedStop stop(Duration limit) {
    return new BoundedStop(limit, overtime::countDown, halted::countDown);
  }

  @Test
  void whatStopsInTimeIsLeftAlone() {
    stop(Duration.ofHours(1)).run(() -> {});

    assertThat(overtime.getCount()).isEqualTo(1);
    assertThat(halted.getCount()).isEqualTo(1);
  }

  @Test
  void atHalfTimeWhoStillWaitsIsAnswered() {
    stop(Duration.ofSeconds(20)).run(() -> await(overtime));

    assertThat(halted.getCount()).isEqualTo(1);
  }

  @Test
  void whatDoesNotEndIsEndedAndNamed(CapturedOutput output) {
    CountDownLatch never = new CountDownLatch(1);
    Thread stuck = Thread.ofPlatform().daemon().name("keywell-sign-7").start(() -> await(never));

    // Overtime that hangs itself keeps nothing from the end.
    new BoundedStop(Duration.ofMillis(200), never::await, halted::countDown)
        .run(() -> await(halted));

    assertThat(output)
        .contains("keywell.stop-limit")
        .contains("keywell-sign-7 in BoundedStopTest.await");
    never.countDown();
    assertThat(stuck.isDaemon()).isTrue();
  }

  @Test
  void onlyOurThreadsAreNamed() {
    assertThat(
            BoundedStop.atWork(
                Map.of(
                    Thread.ofPlatform().name("keywell-records").unstarted(() -> {}),
                    new StackTraceElement[0],
                    Thread.ofPlatform().name("other").unstarted(() -> {}),
                    new StackTraceElement[0])))
        .isEqualTo("keywell-records");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(15, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
