package org.keywell.keypool.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.FOR_EVER;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.TestThread;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.store.StoreException;

@Timeout(30)
final class WorkerTest {

  private static final Backoff AT_ONCE = new Backoff(Duration.ZERO, Duration.ZERO);

  @Test
  void repeatsTheStepUntilItIsStopped() throws InterruptedException {
    CountDownLatch steps = new CountDownLatch(3);
    Worker worker =
        new Worker(
            "repeats",
            () -> {
              steps.countDown();
              return Duration.ZERO;
            });
    worker.start();
    steps.await();

    worker.stop();
    worker.join(Worker.LONGEST_JOIN);
  }

  @Test
  void aStepThatHadNothingToDoEndsNoOutage() throws InterruptedException {
    AtomicInteger steps = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(4);
    AtomicInteger asked = new AtomicInteger();
    Worker worker =
        new Worker(
            "waits",
            () -> {
              done.countDown();
              if (steps.incrementAndGet() == 1) {
                throw new HsmException(Reason.UNAVAILABLE, "away");
              }
              return Duration.ZERO;
            },
            () -> asked.incrementAndGet() == 2,
            Duration.ZERO);
    worker.start();
    done.await();
    worker.stop();
    worker.join(Worker.LONGEST_JOIN);

    assertThat(asked).as("until the outage was over, and not after that").hasValue(2);
  }

  @Test
  void aStopEndsThePauseBetweenSteps() throws InterruptedException {
    CountDownLatch stepped = new CountDownLatch(1);
    Worker worker =
        new Worker(
            "pauses",
            () -> {
              stepped.countDown();
              return FOR_EVER;
            });
    worker.start();
    stepped.await();

    worker.stop();
    worker.join(Worker.LONGEST_JOIN);
  }

  @Test
  void aStopEndsThePauseAfterAFailure() throws InterruptedException {
    CountDownLatch failed = new CountDownLatch(1);
    Worker worker =
        new Worker(
            "fails",
            () -> {
              failed.countDown();
              throw new HsmException(Reason.UNAVAILABLE, "away");
            },
            new Backoff(FOR_EVER, FOR_EVER));
    worker.start();
    failed.await();

    worker.stop();
    worker.join(Worker.LONGEST_JOIN);
  }

  /** Nobody would bring the thread back, and the service would go on without keys. */
  @Test
  void noFailureEndsTheThread() throws InterruptedException {
    Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
    failures.add(new HsmException(Reason.UNAVAILABLE, "away"));
    failures.add(new StoreException("away", new IllegalStateException()));
    failures.add(new IllegalStateException("a defect, thrown by a test"));
    CountDownLatch works = new CountDownLatch(1);
    Worker worker =
        new Worker(
            "recovers",
            () -> {
              RuntimeException failure = failures.poll();
              if (failure != null) {
                throw failure;
              }
              works.countDown();
              return FOR_EVER;
            },
            AT_ONCE);
    worker.start();
    works.await();

    worker.stop();
    worker.join(Worker.LONGEST_JOIN);
  }

  @Test
  void anInterruptEndsTheThread() {
    AtomicInteger steps = new AtomicInteger();
    Worker worker =
        new Worker(
            "interrupted",
            () -> {
              steps.incrementAndGet();
              throw new InterruptedException();
            });
    worker.start();

    worker.join(Worker.LONGEST_JOIN);

    assertThat(steps).hasValue(1);
  }

  @Test
  void theCurrentStepIsFinishedBeforeTheEnd() throws Exception {
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    Worker worker =
        new Worker(
            "finishes",
            () -> {
              inStep.countDown();
              finish.await();
              return Duration.ZERO;
            });
    worker.start();
    inStep.await();
    worker.stop();
    TestThread<Boolean> joining =
        TestThread.start(() -> {
          worker.join(Worker.LONGEST_JOIN);
          return Thread.interrupted();
        });
    joining.awaitWaiting();

    joining.interrupt();
    finish.countDown();

    assertThat(joining.result()).as("the interrupt is kept for the caller").isTrue();
  }

  @Test
  void joiningAWorkerThatNeverStartedReturnsAtOnce() {
    Worker worker = new Worker("idle", () -> Duration.ZERO);

    worker.stop();
    worker.join(Worker.LONGEST_JOIN);
  }

  /** Such as one that is in a call to a device that hangs. */
  @Test
  void aThreadThatDoesNotEndIsNotWaitedForWithoutLimit() throws Exception {
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    Worker worker =
        new Worker(
            "hangs",
            () -> {
              inStep.countDown();
              finish.await();
              return Duration.ZERO;
            });
    worker.start();
    inStep.await();
    worker.stop();

    assertThat(worker.join(Duration.ofMillis(1))).isFalse();
    assertThat(Worker.join(List.of(worker, worker), Duration.ofMillis(1))).isFalse();

    finish.countDown();
    assertThat(worker.join(Worker.LONGEST_JOIN)).isTrue();
  }
}
