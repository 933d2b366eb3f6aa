package org.keywell.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class RepeatedTest {
  private static final Duration NEVER_AGAIN = Duration.ofDays(1);

  @Test
  void answersAreKeptInOrder() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    CountDownLatch thrice = new CountDownLatch(3);
    try (Repeated<Integer> repeated =
        Repeated.start(
            Duration.ofMillis(1),
            () -> {
              thrice.countDown();
              return asked.incrementAndGet();
            })) {
      thrice.await();

      assertThat(repeated.end()).startsWith(1, 2, 3).hasSize(asked.get());
    }
  }

  @Test
  void theEndDoesNotWaitForThePauseAndThereIsAnAnswer() throws Exception {
    try (Repeated<String> repeated = Repeated.start(NEVER_AGAIN, () -> "once")) {
      assertThat(repeated.end()).containsExactly("once");
    }
  }

  @Test
  void aQuestionWithoutAnAnswerIsReported() {
    try (Repeated<String> repeated =
        Repeated.start(
            NEVER_AGAIN,
            () -> {
              throw new IOException("it is away");
            })) {
      assertThatIOException().isThrownBy(repeated::end).withMessageContaining("it is away");
    }
  }
}
