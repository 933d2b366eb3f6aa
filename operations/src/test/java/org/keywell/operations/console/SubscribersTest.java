package org.keywell.operations.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.keywell.rest.problem.ProblemException;
import org.keywell.rest.problem.ProblemType;

final class SubscribersTest {

  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Subscribers subscribers = new Subscribers();

  private ProblemException refusal() {
    return catchThrowableOfType(ProblemException.class, subscribers::subscribe);
  }

  @Test
  void beyondTheLimitOneIsRefusedUntilAPlaceIsFree() {
    List<Subscription> all = new ArrayList<>();
    for (int i = 0; i < Subscribers.LIMIT; i++) {
      all.add(subscribers.subscribe());
    }

    assertThat(refusal().problem().type()).isEqualTo(ProblemType.CONSOLE_FULL);
    assertThat(refusal().problem().detail()).contains("32");

    all.getFirst().close();
    all.getFirst().close();
    subscribers.subscribe();
    assertThat(refusal().problem().type()).isEqualTo(ProblemType.CONSOLE_FULL);
  }

  @RepeatedTest(20)
  void thereAreNeverMoreThanMayBe(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    List<Subscription> open = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      if (random.nextInt(5) > 1 && open.size() < Subscribers.LIMIT) {
        open.add(subscribers.subscribe());
      } else if (!open.isEmpty()) {
        open.remove(random.nextInt(open.size())).close();
      }
      assertThat(subscribers.count()).isEqualTo(open.size()).isLessThanOrEqualTo(32);
      assertThat(subscribers.any()).isEqualTo(!open.isEmpty());
    }
  }

  @Test
  void oneThatDoesNotTakeMissesAllButTheNewest() throws InterruptedException {
    Subscription slow = subscribers.subscribe();
    Subscription quick = subscribers.subscribe();
    byte[] first = {1};
    byte[] second = {2};

    subscribers.offer(first);
    assertThat(quick.take(AT_ONCE)).contains(first);
    subscribers.offer(second);

    assertThat(quick.take(AT_ONCE)).contains(second);
    assertThat(slow.take(AT_ONCE)).contains(second);
    assertThat(slow.take(AT_ONCE)).isEmpty();
  }

  @Test
  void closingEndsStreamsThatWait() {
    Subscription waiting = subscribers.subscribe();
    CompletableFuture<Optional<byte[]>> taken = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        taken.complete(waiting.take(LONG));
      } catch (InterruptedException e) {
        taken.completeExceptionally(e);
      }
    });

    subscribers.close();

    assertThat(taken.join()).isEmpty();
    assertThat(waiting.isOpen()).isFalse();
    assertThat(refusal().problem().type()).isEqualTo(ProblemType.SHUTTING_DOWN);
  }
}
