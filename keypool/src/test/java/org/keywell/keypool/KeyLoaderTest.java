package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.keywell.keypool.PoolRig.EC;
import static org.keywell.keypool.PoolRig.NOT_AT_ALL;
import static org.keywell.keypool.PoolRig.idOf;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.PoolListener.End;
import org.keywell.keypool.PoolListener.Load;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.InMemoryWrappedKeyStore.Call;
import org.keywell.keypool.store.StoreException;
import org.keywell.keypool.store.StoredKey;

@Timeout(30)
final class KeyLoaderTest {

  private final PoolRig rig = PoolRig.of(4, 2, 4);

  private KeyLoader.Step load() throws InterruptedException {
    return rig.loader.loadNext(NOT_AT_ALL);
  }

  private List<Long> storedIds() {
    return rig.store.stored().stream().map(StoredKey::id).toList();
  }

  @Test
  void loadsABatchOfTheOldestKeys() throws InterruptedException {
    rig.store(EC, 6);

    assertThat(load()).isEqualTo(KeyLoader.Step.LOADED);

    assertThat(storedIds()).containsExactly(5L, 6L);
    assertThat(rig.hsm.countLiveKeys()).isEqualTo(4);
    assertThat(rig.store.claimedIds()).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
    assertThat(load()).isEqualTo(KeyLoader.Step.NO_NEED);
    assertThat(rig.leaseAll()).containsExactly(1L, 2L, 3L, 4L);
    assertThat(rig.counts.claimed).isEqualTo(4);
    assertThat(rig.counts.unwrapped).isEqualTo(4);
    assertThat(rig.counts.leased).isEqualTo(4);
  }

  @Test
  void tellsThatTheStoreIsDry() throws InterruptedException {
    assertThat(load()).isEqualTo(KeyLoader.Step.STORE_DRY);
    assertThat(load()).isEqualTo(KeyLoader.Step.NO_NEED);
  }

  @Test
  void aKeyThatDoesNotUnwrapIsDiscardedAndTheOthersAreLoaded() throws InterruptedException {
    rig.store(EC, 3);
    rig.store.tamper(2, PoolRig::damaged);

    assertThat(load()).isEqualTo(KeyLoader.Step.LOADED);

    assertThat(rig.store.claimedIds()).as("the ledger is closed").containsExactlyInAnyOrder(1L, 3L);
    assertThat(storedIds()).isEmpty();
    assertThat(rig.leaseAll()).containsExactly(1L, 3L);
  }

  @Test
  void aBatchOfDamagedKeysIsDiscardedOnceTheDeviceProvesThatItUnwraps()
      throws InterruptedException {
    rig.store(EC, 5);
    for (long id = 1; id <= 4; id++) {
      rig.store.tamper(id, PoolRig::damaged);
    }

    assertThat(load()).isEqualTo(KeyLoader.Step.LOADED);

    assertThat(rig.store.claimedIds()).isEmpty();
    assertThat(rig.hsm.countLiveKeys()).as("the proof leaves no key").isZero();
    assertThat(load()).isEqualTo(KeyLoader.Step.LOADED);
    assertThat(rig.leaseAll()).containsExactly(5L);
  }

  /** Some devices report every failure as if it were the key's; the store must survive that. */
  @Test
  void aDeviceThatRefusesEveryKeyCostsNone() throws InterruptedException {
    rig.store(EC, 6);
    rig.hsm.faults().fail(Operation.UNWRAP, Reason.FAILED);

    assertThatExceptionOfType(HsmException.class).isThrownBy(this::load);

    assertThat(storedIds()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(rig.store.claimedIds()).isEmpty();
    assertThat(rig.hsm.countLiveKeys()).as("the proof leaves no key").isZero();
    rig.hsm.faults().healAll();
    load();
    assertThat(rig.leaseAll()).containsExactly(1L, 2L, 3L, 4L);
  }

  /** Whatever a device says while it fails: it is asked again, and the key as well. */
  @ParameterizedTest
  @EnumSource(
      value = Reason.class,
      names = {"FAILED", "INTERRUPTED", "UNAVAILABLE", "WRAPPED_KEY_INVALID"})
  void failuresThatPassCostNoKey(Reason reason) throws InterruptedException {
    rig.store(EC, 4);
    rig.hsm.faults().failAfter(1, Operation.UNWRAP, reason, 3);

    for (int i = 0; i < 3; i++) {
      try {
        load();
      } catch (HsmException e) {
        assertThat(e.reason()).isEqualTo(reason);
      }
    }

    assertThat(rig.counts.ended(End.DISCARDED)).isZero();
    assertThat(rig.store.count(EC) + rig.shelves.loaded(EC)).isEqualTo(4);
  }

  @Test
  void aDeviceThatBeginsToRefuseKeysInABatchCostsNone() throws InterruptedException {
    rig.store(EC, 4);
    rig.hsm.faults().failAfter(1, Operation.UNWRAP, Reason.WRAPPED_KEY_INVALID, Integer.MAX_VALUE);

    assertThatExceptionOfType(HsmException.class).isThrownBy(this::load);

    assertThat(storedIds()).containsExactly(2L, 3L, 4L);
    assertThat(rig.leaseAll()).containsExactly(1L);
  }

  /** Codes of vendors and unlisted ones say nothing of the key, so it gets a second batch. */
  @Test
  void aDamagedKeyThatTheDeviceBlamesOnItselfGoesBackOnceAndDoesNotBlockTheOthers()
      throws InterruptedException {
    rig.store(EC, 4);
    rig.store.tamper(2, PoolRig::damaged);
    rig.hsm.faults().answerToDamage(Reason.FAILED);

    assertThatExceptionOfType(HsmException.class).isThrownBy(this::load);

    assertThat(storedIds()).containsExactly(2L);
    assertThat(rig.leaseAll()).containsExactly(1L, 3L, 4L);

    rig.shelves.storeRefilled(EC);
    load();

    assertThat(storedIds()).isEmpty();
    assertThat(rig.store.claimedIds()).containsExactlyInAnyOrder(1L, 3L, 4L);
    assertThat(rig.counts.ended(End.DISCARDED)).isEqualTo(1);
  }

  @Test
  void whenTheDeviceFailsInABatchTheRestGoesBack() throws InterruptedException {
    rig.store(EC, 4);
    rig.store.tamper(1, PoolRig::damaged);
    rig.hsm.faults().failAfter(4, Operation.UNWRAP, Reason.SESSION_LOST, Integer.MAX_VALUE);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(this::load)
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.SESSION_LOST));

    assertThat(storedIds()).as("refused and not yet tried").containsExactly(1L, 3L, 4L);
    assertThat(rig.store.claimedIds()).containsExactly(2L);
    assertThat(rig.leaseAll()).containsExactly(2L);
  }

  @Test
  void whenTheStoreFailsTooTheDevicesFailureIsReported() {
    rig.store(EC, 2);
    rig.hsm.faults().fail(Operation.UNWRAP, Reason.UNAVAILABLE);
    rig.store.failing(Call.PUT_BACK, true);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(this::load)
        .satisfies(e ->
            assertThat(e.getSuppressed()).hasOnlyElementsOfType(StoreException.class).hasSize(1));

    assertThat(rig.store.claimedIds()).as("forfeited at the next start").hasSize(2);
    assertThat(rig.counts.ended(End.LOST)).isEqualTo(2);
    assertThat(rig.counts.batches).containsExactly(Load.FAILED);
  }

  @Test
  void whenTheStoreFailsTheRoomIsFreeAgain() throws InterruptedException {
    rig.store(EC, 4);
    rig.store.failing(true);
    assertThatExceptionOfType(StoreException.class).isThrownBy(this::load);

    rig.store.failing(false);

    assertThat(load()).isEqualTo(KeyLoader.Step.LOADED);
    assertThat(rig.shelves.loaded(EC)).isEqualTo(4);
  }

  @Test
  void unloadingPutsBackTheKeysThatItDestroyed() throws InterruptedException {
    rig.loaded(4);

    assertThat(rig.loader.unload()).isEqualTo(4);

    assertThat(storedIds()).containsExactly(1L, 2L, 3L, 4L);
    assertThat(rig.store.claimedIds()).isEmpty();
    assertThat(rig.hsm.countLiveKeys()).isZero();
    assertThat(rig.loader.unload()).isZero();
  }

  /** A key that may still be live must not come back under its id. */
  @Test
  void unloadingDiscardsKeysWhoseDestructionIsInDoubt() throws InterruptedException {
    rig.loaded(4);
    rig.hsm.faults().failAfter(1, Operation.DESTROY, Reason.FAILED);

    assertThat(rig.loader.unload()).isEqualTo(3);

    assertThat(storedIds()).containsExactly(1L, 3L, 4L);
    assertThat(rig.store.claimedIds()).isEmpty();
    assertThat(rig.destroyer.count()).isEqualTo(1);
    assertThat(rig.counts.ended(End.PUT_BACK)).isEqualTo(3);
    assertThat(rig.counts.ended(End.DISCARDED)).isEqualTo(1);
    assertThat(rig.counts.orphaned).isEqualTo(1);
  }

  @Test
  void aKeyThatIsLeasedStaysWithItsRequest() throws InterruptedException {
    KeyLease lease = rig.loaded(2).lease();

    assertThat(rig.loader.unload()).isEqualTo(1);

    assertThat(rig.store.claimedIds()).containsExactly(idOf(lease));
  }

  @Test
  void aPoolThatIsClosedWhileABatchIsLoadedLosesNoKey() throws Exception {
    rig.store(EC, 4);
    rig.hsm.faults().hang(Operation.UNWRAP);
    TestThread<KeyLoader.Step> loading = TestThread.start(this::load);
    rig.hsm.faults().awaitHanging(Operation.UNWRAP, 1);

    assertThat(rig.loader.unload()).isZero();
    rig.hsm.faults().healAll();
    loading.result();

    assertThat(storedIds()).containsExactly(1L, 2L, 3L, 4L);
    assertThat(rig.store.claimedIds()).isEmpty();
    assertThat(rig.hsm.countLiveKeys()).isZero();
    assertThat(rig.hsm.faults().calls(Operation.UNWRAP)).as("the rest is not tried").isEqualTo(1);
  }

  /** A public key in other octets would get past the indexes, and its key sign once more. */
  @Test
  void aPublicKeyThatIsEncodedAnewNeverReachesTheDevice() throws InterruptedException {
    rig.store(EC, 3);
    rig.store.tamper(2, KeyLoaderTest::withAPadBit);

    assertThat(load()).isEqualTo(KeyLoader.Step.LOADED);

    assertThat(rig.hsm.faults().calls(Operation.UNWRAP)).isEqualTo(2);
    assertThat(rig.store.claimedIds()).as("the ledger is closed").containsExactlyInAnyOrder(1L, 3L);
    assertThat(rig.counts.ended(End.BARRED)).isEqualTo(1);
    assertThat(rig.leaseAll()).containsExactly(1L, 3L);
  }

  private static WrappedKey withAPadBit(WrappedKey key) {
    byte[] publicKey = key.publicKey().clone();
    publicKey[25] = 1;
    return new WrappedKey(
        key.spec(), key.wrappingKeyId(), key.wrapMechanism(), publicKey, key.wrappedPrivateKey());
  }

  @Test
  void aKeyThatHasServedARequestNeverReachesTheDevice() throws InterruptedException {
    rig.store(EC, 4);
    rig.store.use(1);
    rig.store.use(3);

    assertThat(load()).isEqualTo(KeyLoader.Step.LOADED);

    assertThat(rig.hsm.faults().calls(Operation.UNWRAP)).isEqualTo(2);
    assertThat(rig.store.claimedIds()).containsExactlyInAnyOrder(2L, 4L);
    assertThat(rig.counts.ended(End.BARRED)).isEqualTo(2);
    assertThat(rig.leaseAll()).containsExactly(2L, 4L);
  }

  @Test
  void aBatchOfUsedKeysIsNoDryStore() throws InterruptedException {
    rig.store(EC, 5);
    for (long id = 1; id <= 4; id++) {
      rig.store.use(id);
    }

    assertThat(load()).isEqualTo(KeyLoader.Step.LOADED);
    assertThat(load()).isEqualTo(KeyLoader.Step.LOADED);

    assertThat(rig.leaseAll()).containsExactly(5L);
  }

  @Test
  void keysThatCannotBeScreenedGoBack() throws InterruptedException {
    rig.store(EC, 2);
    rig.store.failing(Call.USED, true);

    assertThatExceptionOfType(StoreException.class).isThrownBy(this::load);

    assertThat(storedIds()).containsExactly(1L, 2L);
    assertThat(rig.counts.ended(End.PUT_BACK)).isEqualTo(2);
    rig.store.failing(Call.USED, false);
    load();
    assertThat(rig.leaseAll()).containsExactly(1L, 2L);
  }
}
