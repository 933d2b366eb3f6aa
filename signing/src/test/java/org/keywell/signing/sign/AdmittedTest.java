package org.keywell.signing.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.keywell.signing.request.SampleRequests;

final class AdmittedTest {

  private final SignRequestQueue queue = new SignRequestQueue(1, System::nanoTime);
  private final AtomicInteger atHand = new AtomicInteger();
  private final Admitted admitted = admit();

  private Admitted admit() {
    Admitted taken = OpenAdmission.admitted(queue, SampleRequests.any(), atHand::decrementAndGet);
    atHand.incrementAndGet();
    return taken;
  }

  private void assertTaken(int places, int requests) {
    assertThat(queue.length()).isEqualTo(places);
    assertThat(atHand).hasValue(requests);
  }

  @Test
  void isAtHandUntilItIsSettledAndHasItsPlaceUntilWorkBegins() throws Exception {
    assertTaken(1, 1);
    admitted.enqueue();
    assertTaken(1, 1);
    assertThat(Polled.now(queue)).isSameAs(admitted);
    assertTaken(0, 1);
    admitted.settle();
    assertTaken(0, 0);
  }

  @Test
  void givesBothBackIfItIsNotQueued() {
    admitted.settle();

    assertTaken(0, 0);
  }

  @Test
  void isSettledOnce() {
    admitted.settle();

    assertThatIllegalStateException().isThrownBy(admitted::settle);
    assertThatIllegalStateException().isThrownBy(admitted::begin);
    assertTaken(0, 0);
  }

  @Test
  void isWorkedOnOnce() {
    admitted.begin();

    assertThatIllegalStateException().isThrownBy(admitted::begin);
    assertTaken(0, 1);
    admitted.settle();
    assertThatIllegalStateException().isThrownBy(admitted::settle);
    assertTaken(0, 0);
  }
}
