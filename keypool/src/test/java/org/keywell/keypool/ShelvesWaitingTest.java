package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.FOR_EVER;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.PoolListener.Load;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.fake.Operation;

/** Who waits for whom, and who wakes whom. A lost wakeup is a test that times out. */
@Timeout(30)
final class ShelvesWaitingTest {

  private final PoolRig rig = PoolRig.of(1, 1, 1);

  private TestThread<Optional<KeyLease>> waitingLease() {
    return TestThread.start(() -> rig.pools.lease(EC, FOR_EVER)).awaitWaiting();
  }

  private TestThread<Optional<LoadRequest>> waitingLoader() {
    return TestThread.start(() -> rig.shelves.awaitNeed(FOR_EVER)).awaitWaiting();
  }

  private LoadRequest need() throws InterruptedException {
    return rig.shelves.awaitNeed(NOT_AT_ALL).orElseThrow();
  }

  @Test
  void aLeaseWaitsForTheKeyThatALoadBrings() throws Exception {
    rig.store(EC, 1);
    TestThread<Optional<KeyLease>> lease = waitingLease();

    assertThat(rig.loader.loadNext(NOT_AT_ALL)).isEqualTo(KeyLoader.Step.LOADED);

    assertThat(lease.result()).isPresent();
  }

  /** Were the signal for one key another lease's, it would wait until somebody looked. */
  @Test
  void eachOfSeveralLeasesGetsAKeyOfItsKind() throws Exception {
    PoolRig kinds =
        new PoolRig(new PoolLimits(EC, 2, 2, 2, 2), new PoolLimits(KeySpec.EC_P384, 1, 1, 1, 1));
    kinds.store(EC, 2).store(KeySpec.EC_P384, 1);
    List<TestThread<Optional<KeyLease>>> leases = new ArrayList<>();
    for (KeySpec spec : List.of(EC, KeySpec.EC_P384, EC)) {
      leases.add(TestThread.start(() -> kinds.pools.lease(spec, FOR_EVER)).awaitWaiting());
    }

    kinds.load();

    for (TestThread<Optional<KeyLease>> lease : leases) {
      assertThat(lease.result()).isPresent();
    }
  }

  /** Who was called begins, and calls the next. */
  @Test
  void aNeedOfSeveralLoadersWakesThemAll() throws Exception {
    PoolRig four = PoolRig.of(4, 4, 1);
    four.shelves.finish(four.shelves.awaitNeed(NOT_AT_ALL).orElseThrow(), Load.STORE_DRY);
    List<TestThread<Optional<LoadRequest>>> loaders = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      loaders.add(TestThread.start(() -> four.shelves.awaitNeed(FOR_EVER)).awaitWaiting());
    }

    four.shelves.storeRefilled(EC);

    for (TestThread<Optional<LoadRequest>> loader : loaders) {
      assertThat(loader.result()).isPresent();
    }
  }

  @Test
  void aLeaseWaitsNoLongerThanItWasTold() throws InterruptedException {
    assertThat(rig.pools.lease(EC, Duration.ofNanos(1))).isEmpty();
    assertThat(rig.pools.lease(EC, Duration.ofNanos(-1))).isEmpty();
  }

  @Test
  void aLeaseStopsWaitingWhenTheStoreIsDry() throws Exception {
    TestThread<Optional<KeyLease>> lease = waitingLease();

    rig.shelves.finish(need(), Load.STORE_DRY);

    assertThat(lease.result()).isEmpty();
  }

  @Test
  void aLeaseStopsWaitingWhenTheLoadFails() throws Exception {
    TestThread<Optional<KeyLease>> lease = waitingLease();

    rig.shelves.finish(need(), Load.FAILED);

    assertThat(lease.result()).isEmpty();
  }

  @Test
  void aLeaseWaitsForALoadThatIsUnderWayWhateverAnotherFound() throws Exception {
    PoolRig two = PoolRig.of(2, 2, 1);
    LoadRequest dry = two.shelves.awaitNeed(NOT_AT_ALL).orElseThrow();
    two.store(EC, 1);
    two.hsm.faults().hang(Operation.UNWRAP);
    TestThread<KeyLoader.Step> load = TestThread.start(() -> two.loader.loadNext(NOT_AT_ALL));
    two.hsm.faults().awaitHanging(Operation.UNWRAP, 1);
    two.shelves.finish(dry, Load.STORE_DRY);

    TestThread<Optional<KeyLease>> lease =
        TestThread.start(() -> two.pools.lease(EC, FOR_EVER)).awaitWaiting();
    two.hsm.faults().healAll();

    assertThat(lease.result()).isPresent();
    assertThat(load.result()).isEqualTo(KeyLoader.Step.LOADED);
  }

  @Test
  void aLeaseStopsWaitingWhenThePoolIsClosed() throws Exception {
    TestThread<Optional<KeyLease>> lease = waitingLease();

    rig.shelves.close();

    assertThat(lease.result()).isEmpty();
  }

  @Test
  void aReturnedKeyGoesToALeaseThatWaits() throws Exception {
    KeyLease first = rig.loaded(1).lease();
    rig.shelves.storeRefilled(EC);
    TestThread<Optional<KeyLease>> second = waitingLease();

    first.returnUnused();

    assertThat(second.result()).isPresent();
  }

  @Test
  void anInterruptEndsALeasesWait() {
    TestThread<Optional<KeyLease>> lease = waitingLease();

    lease.interrupt();

    assertThatExceptionOfType(InterruptedException.class).isThrownBy(lease::result);
  }

  @Test
  void aLeaseWakesTheLoader() throws Exception {
    PoolRig two = PoolRig.of(2, 1, 1).loaded(1);
    two.shelves.storeRefilled(EC);
    TestThread<Optional<LoadRequest>> loader =
        TestThread.start(() -> two.shelves.awaitNeed(FOR_EVER)).awaitWaiting();

    two.lease();

    assertThat(loader.result()).isPresent();
  }

  @Test
  void roomThatALeaseLeavesWakesTheLoader() throws Exception {
    KeyLease lease = rig.loaded(1).lease();
    rig.shelves.storeRefilled(EC);
    TestThread<Optional<LoadRequest>> loader = waitingLoader();

    lease.destroy();

    assertThat(loader.result()).isPresent();
  }

  @Test
  void aRefilledStoreWakesTheLoader() throws Exception {
    rig.shelves.finish(need(), Load.STORE_DRY);
    TestThread<Optional<LoadRequest>> loader = waitingLoader();

    rig.shelves.storeRefilled(EC);

    assertThat(loader.result()).isPresent();
  }

  /** The need that the first loader could not meet is the second one's. */
  @Test
  void aLoadThatFailsWakesAnotherLoader() throws Exception {
    LoadRequest first = need();
    TestThread<Optional<LoadRequest>> second = waitingLoader();

    rig.shelves.finish(first, Load.FAILED);

    assertThat(second.result()).isPresent();
  }

  /** Were it to return at once, the loader's thread would spin. */
  @Test
  void aLoaderWaitsItsTimeOnAClosedPool() throws Exception {
    rig.shelves.close();
    TestThread<Optional<LoadRequest>> loader = waitingLoader();

    loader.interrupt();

    assertThatExceptionOfType(InterruptedException.class).isThrownBy(loader::result);
  }
}
