package org.keywell.loadgen.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ClosedLoopDriverTest {
  private static final Outcome OUTCOME = new Outcome.Failed("stub");

  @Test
  void asManyCallersAsToldAskAtATime() throws Exception {
    AtomicInteger open = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    // Nobody is answered before all three callers have asked.
    CyclicBarrier allAsk = new CyclicBarrier(3);
    Target target =
        _ -> {
          most.accumulateAndGet(open.incrementAndGet(), Math::max);
          try {
            allAsk.await();
          } catch (BrokenBarrierException e) {
            throw new IllegalStateException(e);
          }
          open.decrementAndGet();
          return OUTCOME;
        };

    List<Sample> samples = new ClosedLoopDriver(target, System::nanoTime).run(30, 3);

    assertThat(most).hasValue(3);
    assertThat(samples).hasSize(30);
  }

  @Test
  void samplesAreInOrderAndDueWhenTheyWereSent() throws Exception {
    List<Sample> samples = new ClosedLoopDriver(_ -> OUTCOME, System::nanoTime).run(50, 4);

    assertThat(samples).hasSize(50);
    for (int i = 0; i < samples.size(); i++) {
      Sample sample = samples.get(i);
      assertThat(sample.request()).isEqualTo(i + 1);
      assertThat(sample.dueNanos()).isEqualTo(sample.sentNanos());
      assertThat(sample.answeredNanos()).isGreaterThanOrEqualTo(sample.sentNanos());
      assertThat(sample.outcome()).isEqualTo(OUTCOME);
    }
  }

  @Test
  void aStopLetsNobodyAskAgain() throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    ClosedLoopDriver driver =
        new ClosedLoopDriver(
            _ -> {
              asked.incrementAndGet();
              stopped.await();
              return OUTCOME;
            },
            System::nanoTime);
    Thread stopper =
        Thread.ofVirtual()
            .start(() -> {
              while (asked.get() < 2) {
                Thread.onSpinWait();
              }
              driver.stop();
              stopped.countDown();
            });

    List<Sample> samples = driver.run(1_000, 2);
    stopper.join();

    assertThat(samples).hasSize(2);
  }
}
