package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.FOR_EVER;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.fake.Operation;

@Timeout(30)
final class GeneratorThreadsTest {

  private final PoolLimits limits = new PoolLimits(EC, 8, 1, 1, 1);
  private final CountDownLatch full = new CountDownLatch(limits.maxStored());
  private final PoolListener listener =
      new PoolListener() {
        @Override
        public void stored(KeySpec spec) {
          full.countDown();
        }
      };
  private final PoolRig rig = new PoolRig(PoolRig.config(FOR_EVER, limits), listener);
  private final SigningActivity activity = rig.activity;
  private final KeyGenerator generator = rig.generator;

  @Test
  void fillThePoolAndNoMore() throws InterruptedException {
    try (GeneratorThreads threads = new GeneratorThreads(generator, 3, "")) {
      threads.start();
      full.await();
    }

    assertThat(rig.store.count(EC)).isEqualTo(limits.maxStored());
    assertThat(rig.hsm.countLiveKeys()).isZero();
  }

  @Test
  void closingWaitsForTheKeyInTheMaking() throws Exception {
    rig.hsm.faults().hang(Operation.GENERATE_EXTRACTABLE);
    GeneratorThreads threads = new GeneratorThreads(generator, 1, "");
    threads.start();
    rig.hsm.faults().awaitHanging(Operation.GENERATE_EXTRACTABLE, 1);
    assertThat(threads.threads(GeneratorState.WORKING)).isEqualTo(1);
    TestThread<Boolean> closing =
        TestThread.start(() -> {
          threads.close();
          return true;
        });
    closing.awaitWaiting();

    rig.hsm.faults().healAll();

    assertThat(closing.result()).isTrue();
    assertThat(threads.threads(GeneratorState.STOPPED)).isEqualTo(1);
    assertThat(threads.isBroken()).isFalse();
    assertThat(rig.store.count(EC)).isEqualTo(1);
  }

  @Test
  void tellWhatTheyDo() throws InterruptedException {
    try (GeneratorThreads threads = new GeneratorThreads(generator, 2, "")) {
      assertThat(threads.threads(GeneratorState.STOPPED)).isEqualTo(2);
      activity.began();
      threads.start();
      awaitAll(threads, GeneratorState.PAUSED);

      activity.ended();
      awaitAll(threads, GeneratorState.FULL);
    }
  }

  @Test
  void tellThatTheyFail() throws InterruptedException {
    rig.hsm.faults().fail(Operation.GENERATE_EXTRACTABLE, Reason.UNAVAILABLE);
    try (GeneratorThreads threads = new GeneratorThreads(generator, 2, "")) {
      threads.start();
      awaitAll(threads, GeneratorState.FAILING);
    }
  }

  private static void awaitAll(GeneratorThreads threads, GeneratorState state)
      throws InterruptedException {
    while (threads.threads(state) < 2) {
      Thread.onSpinWait();
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  @Test
  void canBeClosedWithoutAStart() {
    new GeneratorThreads(generator, 2, "").close();
  }

  @Test
  void refusesToBeNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new GeneratorThreads(generator, 0, ""))
        .withMessageContaining("generator-threads");
  }
}
