package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.FOR_EVER;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.hsm.KeySpec;

@Timeout(30)
final class LoaderThreadsTest {

  private final AtomicLong nanos = new AtomicLong();
  private final PoolRig rig =
      new PoolRig(new PoolLimits(EC, 1, 1, 1, 1), new PoolLimits(KeySpec.EC_P384, 1, 1, 1, 1));
  private final LoaderThreads thread =
      new LoaderThreads(rig.loader, rig.shelves, nanos::get, 1, "");

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void looksAgainForKindsThatHadRunOut() throws InterruptedException {
    rig.loaded(0);
    rig.store(EC, 1);
    thread.step(NOT_AT_ALL);
    assertThat(rig.shelves.loaded(EC)).as("thought dry").isZero();

    pass(Duration.ofMillis(500));
    thread.step(NOT_AT_ALL);
    thread.step(NOT_AT_ALL);

    assertThat(rig.shelves.loaded(EC)).isEqualTo(1);
  }

  /** Were it done in pauses only, a kind in heavy use would keep others dry. */
  @Test
  void looksAgainHoweverBusyTheLoaderIs() throws InterruptedException {
    rig.loaded(0);
    rig.store(EC, 1);
    rig.store(KeySpec.EC_P384, 3);
    rig.shelves.storeRefilled(KeySpec.EC_P384);

    pass(Duration.ofMillis(500));
    thread.step(NOT_AT_ALL);
    thread.step(NOT_AT_ALL);

    assertThat(rig.shelves.loaded(EC)).isEqualTo(1);
    assertThat(rig.shelves.loaded(KeySpec.EC_P384)).isEqualTo(1);
  }

  @Test
  void loadsWhileItRunsAndEndsWhenClosed() throws InterruptedException {
    rig.store(EC, 1);
    try (LoaderThreads running =
        new LoaderThreads(rig.loader, rig.shelves, System::nanoTime, 2, "")) {
      running.start();
      assertThat(PoolRig.await(rig.pools, EC)).isPresent();
    }

    rig.store(EC, 1);
    assertThat(rig.store.count(EC)).as("nobody claims").isEqualTo(1);
  }

  /** It would claim keys, fail, put them back, and say each time that it works again. */
  @Test
  void claimsNothingWhileTheDeviceIsKnownToFail() throws InterruptedException {
    rig.store(EC, 1);
    rig.hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");

    assertThat(thread.step(FOR_EVER)).as("at once").isEqualTo(KeyLoader.Step.DEVICE_FAILS);

    assertThat(rig.store.claimedIds()).isEmpty();
    assertThat(rig.device.loading().claims()).isZero();
    assertThat(PoolRig.await(rig.pools, EC)).as("nobody waits for it").isEmpty();
    rig.hsm.faults().up();
    for (int kinds = 0; kinds < 2; kinds++) {
      assertThat(thread.step(NOT_AT_ALL)).isNotEqualTo(KeyLoader.Step.DEVICE_FAILS);
    }
    assertThat(rig.pools.lease(EC)).isPresent();
  }

  /** It was refused as if the pool were empty, until the loader had looked again. */
  @Test
  void whoComesAtTheMomentThatTheDeviceWorksAgainWaitsForAKey() throws Exception {
    rig.store(EC, 1);
    rig.hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    assertThat(thread.step(FOR_EVER)).isEqualTo(KeyLoader.Step.DEVICE_FAILS);
    rig.hsm.faults().up();

    TestThread<Optional<KeyLease>> waiting =
        TestThread.start(() -> PoolRig.await(rig.pools, EC)).awaitWaiting();
    while (!waiting.isDone()) {
      thread.step(NOT_AT_ALL);
    }

    assertThat(waiting.result()).isPresent();
  }

  @Test
  void goesOnByItselfOnceTheDeviceWorksAgain() throws InterruptedException {
    rig.store(EC, 1);
    rig.hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    try (LoaderThreads running =
        new LoaderThreads(rig.loader, rig.shelves, System::nanoTime, 2, "")) {
      running.start();
      assertThat(PoolRig.await(rig.pools, EC)).isEmpty();

      rig.hsm.faults().up();
      while (rig.pools.depth(EC).loaded() == 0) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void endsWhileTheDeviceFails() {
    rig.store(EC, 1);
    rig.hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    LoaderThreads running = new LoaderThreads(rig.loader, rig.shelves, System::nanoTime, 2, "");
    running.start();

    assertThat(running.end(Duration.ofSeconds(20))).isTrue();
    assertThat(rig.store.claimedIds()).isEmpty();
  }

  @Test
  void canBeClosedWithoutAStart() {
    thread.close();
  }
}
