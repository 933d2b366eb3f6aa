package org.keywell.service.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.service.request.SampleRequests;

@Timeout(20)
final class SignRequestQueueTest {

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
    assertThat(queue.reserve()).isFalse();

    withoutRecord.settle();
    assertThat(queue.reserve()).isTrue();
    queue.poll(0);
    assertThat(queue.reserve()).isTrue();
    assertThat(queue.reserve()).isFalse();
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
    assertThat(queue.reserve()).isTrue();
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
    PendingRequest pending = OpenAdmission.pending(SampleRequests.any());
    return Admitted.to(queue, pending, () -> {}, () -> {}).orElseThrow();
  }
}
