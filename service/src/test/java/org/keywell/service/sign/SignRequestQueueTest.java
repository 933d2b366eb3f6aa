package org.keywell.service.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.service.request.SampleRequests;

@Timeout(20)
final class SignRequestQueueTest {

  private final SignRequestQueue queue = new SignRequestQueue(2);

  @Test
  void isFirstInFirstOut() throws Exception {
    PendingRequest first = queued();
    PendingRequest second = queued();

    assertThat(queue.poll(0)).isSameAs(first);
    assertThat(queue.poll(0)).isSameAs(second);
    assertThat(queue.poll(0)).isNull();
  }

  @Test
  void countsReservedPlacesAgainstTheLimit() throws Exception {
    queued();
    assertThat(queue.reserve()).isTrue();
    assertThat(queue.length()).isEqualTo(2);
    assertThat(queue.reserve()).isFalse();

    queue.release();
    assertThat(queue.reserve()).isTrue();
    queue.poll(0);
    assertThat(queue.reserve()).isTrue();
    assertThat(queue.reserve()).isFalse();
  }

  @Test
  void neverHoldsMoreThanItsLimit() {
    queued();
    queued();

    assertThatIllegalStateException().isThrownBy(() -> queue.enqueue(pending()));
  }

  @Test
  void isEmptyWhenNoPlaceIsReservedOrTaken() throws Exception {
    queue.awaitEmpty();
    queued();
    assertThat(queue.reserve()).isTrue();
    CompletableFuture<Void> empty = CompletableFuture.runAsync(this::awaitEmpty);

    queue.poll(0);
    assertThat(empty).isNotDone();
    queue.release();

    await().until(empty::isDone);
    assertThat(empty).isCompleted();
    assertThat(queue.reserve()).isTrue();
  }

  private void awaitEmpty() {
    try {
      queue.awaitEmpty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private PendingRequest queued() {
    assertThat(queue.reserve()).isTrue();
    PendingRequest pending = pending();
    queue.enqueue(pending);
    return pending;
  }

  private static PendingRequest pending() {
    return new PendingRequest(SampleRequests.any(), SampleRequests.receivedNow());
  }
}
