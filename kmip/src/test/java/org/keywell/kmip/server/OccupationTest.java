package org.keywell.kmip.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.time.Duration;
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
}
