package org.keywell.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.keywell.testkit.ManualTime;

final class OccupationTest {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final Socket socket = new Socket();
  private final Occupation occupation = new Occupation(socket, time);

  @Test
  void eachStepHasItsTime() {
    for (int i = 0; i < 3; i++) {
      assertThat(occupation.await(SECOND)).isTrue();
      time.advance(SECOND);
      occupation.cutIfLate();
    }
    assertThat(socket.isClosed()).isFalse();
    time.advance(Duration.ofNanos(1));
    occupation.cutIfLate();
    assertThat(socket.isClosed()).isTrue();
    assertThat(occupation.await(SECOND)).isFalse();
    assertThat(occupation.work(null)).isFalse();
  }

  @Test
  void workWithoutALimitIsLeftAlone() {
    occupation.work(null);
    time.advance(Duration.ofDays(1));
    occupation.cutIfLate();

    assertThat(socket.isClosed()).isFalse();
  }

  @Test
  void anEndWaitsForTheRequest() {
    occupation.work(SECOND);
    occupation.endAfterRequest();
    assertThat(socket.isClosed()).isFalse();
    assertThat(occupation.work(SECOND)).as("its answer").isTrue();
    assertThat(occupation.await(SECOND)).as("a further request").isFalse();
  }

  @Test
  void anEndComesAtOnceOutsideOfARequest() {
    occupation.await(SECOND);
    occupation.endAfterRequest();

    assertThat(socket.isClosed()).isTrue();
  }

  @Test
  void workThatTakesTooLongIsDoneByTheSubstituteOnce() throws InterruptedException {
    AtomicInteger substituted = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(1);
    occupation.work(
        time.getAsLong(),
        SECOND,
        () -> {
          substituted.incrementAndGet();
          occupation.cut();
          done.countDown();
        });
    time.advance(SECOND.plusNanos(1));
    occupation.cutIfLate();
    occupation.cutIfLate();

    assertThat(occupation.completed(Duration.ofSeconds(30))).isFalse();
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(substituted).hasValue(1);
  }

  @Test
  void workThatIsCompletedNeedsNoSubstitute() {
    occupation.work(time.getAsLong(), SECOND, () -> occupation.cut());
    assertThat(occupation.completed(SECOND)).isTrue();
    time.advance(Duration.ofDays(1));
    occupation.cutIfLate();

    assertThat(socket.isClosed()).isFalse();
  }
}
