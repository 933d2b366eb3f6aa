package org.keywell.xks.api;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.testkit.Await;

@Timeout(60)
final class PlacesTest {

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Places places = new Places(2);
  private final List<String> admitted = Collections.synchronizedList(new ArrayList<>());
  private final List<Future<?>> requests = new ArrayList<>();

  @AfterEach
  void end() {
    threads.close();
  }

  private static long in(Duration time) {
    return System.nanoTime() + time.toNanos();
  }

  /** Has a request wait for a place, which it keeps. */
  private void queue(String caller) throws Exception {
    int before = places.waiting();
    requests.add(
        threads.submit(() -> {
          assertThat(places.enter(caller, in(Duration.ofMinutes(1)))).isTrue();
          admitted.add(caller);
        }));
    Await.until("it waits", () -> places.waiting() == before + 1);
  }

  private void leave(String caller) throws Exception {
    int before = admitted.size();
    places.leave(caller);
    Await.until("the next is in", () -> admitted.size() == before + 1);
  }

  @Test
  void noMoreThanTheLimitAreIn() {
    assertThat(places.enter("a", 0)).isTrue();
    assertThat(places.enter("b", 0)).isTrue();
    assertThat(places.enter("c", in(Duration.ofMillis(1)))).isFalse();
    assertThat(places.waiting()).isZero();

    places.leave("a");
    assertThat(places.enter("c", 0)).isTrue();
  }

  @Test
  void aCallerThatFloodsDoesNotKeepAnotherWaiting() throws Exception {
    assertThat(places.enter("flood", 0)).isTrue();
    assertThat(places.enter("flood", 0)).isTrue();
    for (int i = 0; i < 5; i++) {
      queue("flood");
    }
    queue("other");
    queue("other");

    leave("flood");
    assertThat(admitted).containsExactly("other");
    leave("flood");
    assertThat(admitted).as("each has one: the first that came").endsWith("flood");
    leave("other");
    assertThat(admitted).endsWith("other");
    for (int i = 0; i < 4; i++) {
      leave("flood");
    }
    for (Future<?> request : requests) {
      Object _ = request.get(10, SECONDS);
    }
  }

  @Test
  void whoGivesUpTakesNoPlace() throws Exception {
    assertThat(places.enter("a", 0)).isTrue();
    assertThat(places.enter("a", 0)).isTrue();
    assertThat(places.enter("b", in(Duration.ofMillis(1)))).isFalse();
    places.leave("a");

    assertThat(places.enter("c", 0)).as("the place is free").isTrue();
  }
}
