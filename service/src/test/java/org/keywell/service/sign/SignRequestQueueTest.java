package org.keywell.service.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.service.caller.Caller;
import org.keywell.service.fairness.CallerPlaces.Taking;
import org.keywell.service.fairness.Limited;
import org.keywell.service.request.SampleRequests;

@Timeout(20)
final class SignRequestQueueTest {

  private static final Caller CALLER = Caller.onLoopback();

  private final SignRequestQueue queue = new SignRequestQueue(2);

  @Test
  void isFirstInFirstOut() throws Exception {
    Admitted first = queued();
    Admitted second = queued();

    assertThat(queue.poll(0)).isSameAs(first);
    assertThat(queue.poll(0)).isSameAs(second);
    assertThat(queue.poll(0)).isNull();
  }

  @Test
  void countsReservedPlacesAgainstTheLimit() throws Exception {
    queued();
    Admitted withoutRecord = admitted();
    assertThat(queue.length()).isEqualTo(2);
    assertThat(queue.reserve(CALLER)).isEqualTo(Taking.FULL);

    withoutRecord.settle();
    assertThat(queue.reserve(CALLER)).isEqualTo(Taking.TAKEN);
    queue.poll(0);
    assertThat(queue.reserve(CALLER)).isEqualTo(Taking.TAKEN);
    assertThat(queue.reserve(CALLER)).isEqualTo(Taking.FULL);
  }

  @Test
  void neverHoldsMoreThanItsLimit() {
    Admitted first = queued();
    queued();

    assertThatIllegalStateException().isThrownBy(first::enqueue);
  }

  @Test
  void isEmptyWhenNoPlaceIsReservedOrTaken() throws Exception {
    queue.awaitEmpty(Duration.ofSeconds(20));
    queued();
    Admitted withoutRecord = admitted();
    CompletableFuture<Void> empty = CompletableFuture.runAsync(this::awaitEmpty);

    queue.poll(0);
    assertThat(empty).isNotDone();
    withoutRecord.settle();

    await().until(empty::isDone);
    assertThat(empty).isCompleted();
    assertThat(queue.reserve(CALLER)).isEqualTo(Taking.TAKEN);
  }

  @Test
  void whoComesAnewGoesBeforeTheBacklogOfAnother() throws Exception {
    SignRequestQueue fair = new SignRequestQueue(10);
    Caller flooder = Limited.share("flooder", 50);
    for (int i = 0; i < 5; i++) {
      OpenAdmission.admitted(fair, SampleRequests.of(flooder)).enqueue();
    }
    Admitted first = fair.poll(0);
    Admitted other = OpenAdmission.admitted(fair, SampleRequests.of(Limited.share("other", 50)));
    other.enqueue();

    assertThat(first).isNotNull();
    assertThat(fair.poll(0)).isSameAs(other);
    assertThat(fair.length()).isEqualTo(4);
  }

  @Test
  void whatIsOverdueIsTakenWhereverItStands() throws Exception {
    Admitted first = queued();
    Admitted late = OpenAdmission.admitted(queue, SampleRequests.withDeadline(Duration.ofNanos(1)));
    late.enqueue();

    assertThat(queue.pollOverdue()).isSameAs(late);
    assertThat(queue.pollOverdue()).isNull();
    assertThat(queue.poll(0)).isSameAs(first);
  }

  /** Many put and many take: each is taken once, and a caller's in their order. */
  @Test
  void nothingIsLostAmongThreads() throws Exception {
    int each = 2_000;
    int callers = 4;
    SignRequestQueue busy = new SignRequestQueue(40);
    List<List<Admitted>> put = new ArrayList<>();
    List<Admitted> taken = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      for (int i = 0; i < callers; i++) {
        Caller caller = Limited.share("caller-" + i, 25);
        List<Admitted> own = new ArrayList<>();
        put.add(own);
        threads.execute(() -> {
          while (own.size() < each) {
            if (busy.isShareFull(caller)) {
              Thread.onSpinWait();
            } else {
              Admitted admitted = OpenAdmission.admitted(busy, SampleRequests.of(caller));
              own.add(admitted);
              admitted.enqueue();
            }
          }
        });
      }
      while (taken.size() < each * callers) {
        Admitted next = busy.poll(TimeUnit.SECONDS.toNanos(10));
        assertThat(next).isNotNull();
        taken.add(next);
      }
    }
    for (List<Admitted> own : put) {
      Caller caller = own.getFirst().caller();
      assertThat(taken.stream().filter(any -> any.caller().equals(caller)))
          .containsExactlyElementsOf(own);
    }
    assertThat(busy.length()).isZero();
  }

  private void awaitEmpty() {
    try {
      queue.awaitEmpty(Duration.ofSeconds(20));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Admitted queued() {
    Admitted admitted = admitted();
    admitted.enqueue();
    return admitted;
  }

  private Admitted admitted() {
    return OpenAdmission.admitted(queue, SampleRequests.any());
  }
}
