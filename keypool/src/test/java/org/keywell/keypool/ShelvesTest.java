package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;
import static org.keywell.keypool.PoolRig.idOf;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.keywell.keypool.PoolListener.Load;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.StoredKey;

/** What one thread sees; see {@link ShelvesWaitingTest} for several. */
@Timeout(30)
final class ShelvesTest {

  private static LoadRequest need(PoolRig rig) throws InterruptedException {
    return rig.shelves.awaitNeed(NOT_AT_ALL).orElseThrow();
  }

  private static boolean hasNeed(PoolRig rig) throws InterruptedException {
    return rig.shelves.awaitNeed(NOT_AT_ALL).isPresent();
  }

  private static LoadedKey key(KeySpec spec, long id) {
    WrappedKey wrapped = new WrappedKey(spec, "w", "AES-KWP", new byte[0], new byte[0]);
    return new LoadedKey(new StoredKey(id, wrapped), new KeyHandle(1, id, spec));
  }

  @Test
  void leasesTheOldestKeyFirst() throws InterruptedException {
    PoolRig rig = PoolRig.of(4, 4, 2).loaded(4);

    assertThat(rig.leaseAll()).containsExactly(1L, 2L, 3L, 4L);
  }

  @Test
  void asksForABatchBelowTheLowWaterMark() throws InterruptedException {
    PoolRig rig = PoolRig.of(10, 2, 3).loaded(3);
    KeyLease one = rig.lease();
    assertThat(hasNeed(rig)).as("as many as the mark says").isFalse();

    rig.lease();

    assertThat(need(rig).count()).as("the batch size").isEqualTo(3);
    one.destroy();
  }

  /**
   * Four loaders: the last one works when a quarter of what the mark says is not there any more.
   */
  @Test
  void theEmptierItIsTheMoreLoadersWork() throws InterruptedException {
    PoolRig rig = PoolRig.of(100, 8, 1).loaded(8);
    List<Integer> atWork = new ArrayList<>();
    int loads = 0;
    while (rig.shelves.loaded(EC) > 0) {
      rig.lease().destroy();
      rig.shelves.storeRefilled(EC);
      while (hasNeed(rig)) {
        loads++;
      }
      atWork.add(loads);
    }

    assertThat(atWork).as("with 7 to 0 keys").containsExactly(1, 1, 2, 2, 3, 3, 4, 4);
  }

  @Test
  void asksForNoMoreThanThereIsRoomFor() throws InterruptedException {
    PoolRig rig = PoolRig.of(4, 4, 3);

    assertThat(need(rig).count()).isEqualTo(3);
    assertThat(need(rig).count()).as("a load beside the first").isEqualTo(1);
    assertThat(hasNeed(rig)).isFalse();
  }

  @Test
  void aLoadThatCameToNothingLeavesItsRoom() throws InterruptedException {
    PoolRig rig = PoolRig.of(4, 4, 4);
    rig.shelves.finish(need(rig), Load.FAILED);

    assertThat(need(rig).count()).isEqualTo(4);
  }

  /** Leased keys are live in the device; were their room given away, a return would overfill it. */
  @Test
  void leasedKeysTakeRoomUntilTheyAreDestroyed() throws InterruptedException {
    PoolRig rig = PoolRig.of(3, 3, 3).loaded(3);
    KeyLease used = rig.lease();
    KeyLease unused = rig.lease();
    assertThat(hasNeed(rig)).as("all live keys count").isFalse();

    used.destroy();
    LoadRequest need = need(rig);
    unused.returnUnused();

    assertThat(need.count()).isEqualTo(1);
    assertThat(rig.shelves.loaded(EC) + need.count()).isEqualTo(3);
    assertThat(hasNeed(rig)).isFalse();
  }

  @Test
  void anOrphanGivesItsRoomToTheOrphansLimit() throws InterruptedException {
    PoolRig rig = PoolRig.of(1, 1, 1).loaded(1);
    KeyLease lease = rig.lease();
    rig.hsm.faults().destroyReturns(0x30);

    lease.destroy();

    assertThat(hasNeed(rig)).isTrue();
  }

  @Test
  void aDryStoreIsNotAskedUntilItIsRefilled() throws InterruptedException {
    PoolRig rig = PoolRig.of(1, 1, 1);
    rig.shelves.finish(need(rig), Load.STORE_DRY);
    assertThat(hasNeed(rig)).isFalse();
    assertThat(PoolRig.await(rig.pools, EC)).as("does not wait").isEmpty();

    rig.shelves.storeRefilled(EC);

    assertThat(hasNeed(rig)).isTrue();
  }

  /** The claim found nothing, then a key was stored, then the loader told what it had found. */
  @Test
  void aStoreThatWasRefilledMeanwhileIsNotDry() throws InterruptedException {
    PoolRig rig = PoolRig.of(1, 1, 1);
    LoadRequest request = need(rig);

    rig.shelves.storeRefilled(EC);
    rig.shelves.finish(request, Load.STORE_DRY);

    assertThat(hasNeed(rig)).isTrue();
  }

  /** A loader pauses after a failure, for up to half a minute; a lease must not wait for that. */
  @Test
  void afterAFailedLoadNoLeaseWaitsUntilTheNextOne() throws InterruptedException {
    PoolRig rig = PoolRig.of(1, 1, 1);

    rig.shelves.finish(need(rig), Load.FAILED);

    assertThat(PoolRig.await(rig.pools, EC)).isEmpty();
  }

  @Test
  void theEmptiestInProportionIsLoadedFirst() throws InterruptedException {
    PoolRig rig =
        new PoolRig(
            new PoolLimits(EC, 1, 100, 100, 100), new PoolLimits(KeySpec.RSA_2048, 1, 2, 2, 2));
    LoadRequest ec = rig.shelves.awaitNeed(NOT_AT_ALL).orElseThrow();
    LoadRequest rsa = rig.shelves.awaitNeed(NOT_AT_ALL).orElseThrow();
    for (int id = 0; id < 10; id++) {
      rig.shelves.add(key(EC, id));
    }
    rig.shelves.add(key(KeySpec.RSA_2048, 11));
    rig.shelves.finish(ec, Load.STORE_HAD_KEYS);
    rig.shelves.finish(rsa, Load.STORE_HAD_KEYS);

    assertThat(need(rig).spec()).as("10 of 100 is less than 1 of 2").isEqualTo(EC);
  }

  /** One kind is in such use that it is empty again whenever its batch is loaded. */
  @Test
  void equallyEmptyPoolsTakeTurns() throws InterruptedException {
    PoolRig rig =
        new PoolRig(new PoolLimits(EC, 1, 1, 1, 1), new PoolLimits(KeySpec.RSA_2048, 1, 1, 1, 1));
    LoadRequest first = need(rig);
    rig.shelves.finish(first, Load.STORE_HAD_KEYS);
    LoadRequest second = need(rig);
    rig.shelves.finish(second, Load.STORE_HAD_KEYS);

    assertThat(List.of(first.spec(), second.spec()))
        .containsExactlyInAnyOrder(EC, KeySpec.RSA_2048);
    assertThat(need(rig).spec()).isEqualTo(first.spec());
  }

  @Test
  void countsWhatWasLeasedAndNotReturned() throws InterruptedException {
    PoolRig rig = PoolRig.of(3, 3, 3).loaded(3);

    rig.lease().destroy();
    rig.lease();
    rig.lease().returnUnused();

    assertThat(rig.pools.leased(EC)).isEqualTo(2);
  }

  @Test
  void onceClosedItIsEmptyAndNeedsNothing() throws InterruptedException {
    PoolRig rig = PoolRig.of(2, 2, 2).loaded(2);

    assertThat(rig.shelves.close()).extracting(key -> key.stored().id()).containsExactly(1L, 2L);

    assertThat(PoolRig.await(rig.pools, EC)).isEmpty();
    assertThat(rig.shelves.loaded(EC)).isZero();
    assertThat(hasNeed(rig)).isFalse();
    assertThat(rig.shelves.add(key(EC, 3))).isFalse();
    assertThat(rig.shelves.close()).isEmpty();
  }

  @Test
  void keepsKindsApart() throws InterruptedException {
    PoolRig rig =
        new PoolRig(new PoolLimits(EC, 1, 1, 1, 1), new PoolLimits(KeySpec.EC_P384, 1, 1, 1, 1));
    rig.store(EC, 1).store(KeySpec.EC_P384, 1).loaded(0);

    KeyLease lease = rig.pools.lease(KeySpec.EC_P384).orElseThrow();

    assertThat(idOf(lease)).isEqualTo(2);
    assertThat(rig.shelves.loaded(EC)).isEqualTo(1);
  }

  @Test
  void servesOnlyTheKindsThatHaveAPool() {
    PoolRig rig = PoolRig.of(1, 1, 1);

    assertThat(rig.pools.serves(EC)).isTrue();
    assertThat(rig.pools.serves(KeySpec.RSA_4096)).isFalse();
    rig.shelves.storeRefilled(KeySpec.RSA_4096);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rig.pools.lease(KeySpec.RSA_4096))
        .withMessageContaining("RSA-4096");
    assertThatIllegalArgumentException().isThrownBy(() -> rig.shelves.loaded(KeySpec.RSA_4096));
  }

  /** An act that stands open keeps its key, and leaves its room to those who sign at once. */
  @Test
  void aKeyThatIsHeldMakesRoomForAnother() throws Exception {
    PoolRig rig = PoolRig.of(2, 2, 2).loaded(4);
    List<KeyLease> held = List.of(rig.lease(), rig.lease());
    held.forEach(PoolRig::prove);
    rig.load();
    assertThat(rig.pools.lease(EC)).as("leased keys take the whole capacity").isEmpty();

    held.forEach(KeyLease::hold);
    rig.load();

    assertThat(rig.pools.depth(EC)).isEqualTo(new PoolDepth(0, 2, 2, 2));
    assertThat(rig.device.atWork()).isZero();
    for (KeyLease lease : held) {
      assertThat(lease.destroy().succeeded()).isTrue();
    }
    assertThat(rig.pools.depth(EC)).isEqualTo(new PoolDepth(0, 2, 0, 0));
    assertThat(rig.device.inUse()).isZero();
    rig.load();
    assertThat(rig.hsm.countLiveKeys()).as("no more than the capacity").isEqualTo(2);
  }
}
