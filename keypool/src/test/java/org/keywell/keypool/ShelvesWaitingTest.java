package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.FOR_EVER;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.PoolListener.Load;
import org.keywell.keypool.hsm.fake.Operation;

/** Who waits for whom, and who wakes whom. A lost wakeup is a test that times out. */
@Timeout(30)
final class ShelvesWaitingTest {

  private final PoolRig rig = PoolRig.of(1, 1, 1);

  private TestThread<Optional<LoadRequest>> waitingLoader() {
    return TestThread.start(() -> rig.shelves.awaitNeed(FOR_EVER)).awaitWaiting();
  }

  private LoadRequest need() throws InterruptedException {
    return rig.shelves.awaitNeed(NOT_AT_ALL).orElseThrow();
  }

  /** Counts how often those who wait for a key are told to look again. */
  private AtomicInteger told() {
    AtomicInteger told = new AtomicInteger();
    rig.pools.onKeys(told::incrementAndGet);
    return told;
  }

  @Test
  void whoWaitsIsToldOfTheKeyThatALoadBrings() throws Exception {
    rig.store(EC, 1);
    assertThat(rig.pools.lease(EC)).isEmpty();
    assertThat(rig.pools.outlook(EC)).isEqualTo(KeyOutlook.COMING);
    AtomicInteger told = told();

    assertThat(rig.loader.loadNext(NOT_AT_ALL)).isEqualTo(KeyLoader.Step.LOADED);

    assertThat(told).hasPositiveValue();
    assertThat(rig.pools.outlook(EC)).isEqualTo(KeyOutlook.LOADED);
    assertThat(rig.pools.lease(EC)).isPresent();
  }

  /** Were it to hold the pool's lock, the two would wait for each other. */
  @Test
  void whoIsToldMayAskForALease() throws Exception {
    rig.store(EC, 1);
    List<Optional<KeyLease>> leased = new ArrayList<>();
    rig.pools.onKeys(() -> {
      try {
        leased.add(TestThread.start(() -> rig.pools.lease(EC)).result());
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });

    rig.loader.loadNext(NOT_AT_ALL);
    leased.getFirst().orElseThrow().returnUnused();

    assertThat(leased.getFirst()).isPresent();
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

  @ParameterizedTest
  @EnumSource(
      value = Load.class,
      names = {"STORE_DRY", "FAILED"})
  void whoWaitsIsToldThatNoKeyIsToCome(Load outcome) throws Exception {
    AtomicInteger told = told();

    rig.shelves.finish(need(), outcome);

    assertThat(told).hasPositiveValue();
    assertThat(rig.pools.outlook(EC)).isEqualTo(KeyOutlook.NONE);
  }

  @Test
  void aKeyMayComeByALoadThatIsUnderWayWhateverAnotherFound() throws Exception {
    PoolRig two = PoolRig.of(2, 2, 1);
    LoadRequest dry = two.shelves.awaitNeed(NOT_AT_ALL).orElseThrow();
    two.store(EC, 1);
    two.hsm.faults().hang(Operation.UNWRAP);
    TestThread<KeyLoader.Step> load = TestThread.start(() -> two.loader.loadNext(NOT_AT_ALL));
    two.hsm.faults().awaitHanging(Operation.UNWRAP, 1);
    two.shelves.finish(dry, Load.STORE_DRY);

    assertThat(two.pools.outlook(EC)).isIn(KeyOutlook.COMING, KeyOutlook.STALLED);
    two.hsm.faults().healAll();

    assertThat(PoolRig.await(two.pools, EC)).isPresent();
    assertThat(load.result()).isEqualTo(KeyLoader.Step.LOADED);
  }

  @Test
  void noKeyComesToAPoolThatIsClosed() {
    assertThat(rig.pools.outlook(EC)).isEqualTo(KeyOutlook.COMING);

    rig.shelves.close();

    assertThat(rig.pools.outlook(EC)).isEqualTo(KeyOutlook.NONE);
  }

  @Test
  void whoWaitsIsToldOfAKeyThatComesBack() throws Exception {
    KeyLease first = rig.loaded(1).lease();
    AtomicInteger told = told();

    first.returnUnused();

    assertThat(told).hasPositiveValue();
    assertThat(rig.pools.outlook(EC)).isEqualTo(KeyOutlook.LOADED);
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
