package org.keywell.keypool.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class BackoffTest {

  private final Backoff backoff = new Backoff(Worker.FIRST_PAUSE, Worker.LONGEST_PAUSE);

  @Test
  void doublesFromOneSecondToThirty() {
    assertThat(Stream.generate(backoff::afterFailure).limit(7))
        .extracting(pause -> pause.toSeconds())
        .containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L);
  }

  @Test
  void beginsAgainAfterASuccess() {
    backoff.afterFailure();
    backoff.afterFailure();
    assertThat(backoff.failing()).isTrue();

    backoff.succeeded();

    assertThat(backoff.failing()).isFalse();
    assertThat(backoff.afterFailure()).isEqualTo(Worker.FIRST_PAUSE);
  }
}
