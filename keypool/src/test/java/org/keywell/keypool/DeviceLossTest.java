package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.Destruction;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.fake.Operation;
import org.keywell.keypool.store.InMemoryWrappedKeyStore.Call;
import org.keywell.keypool.store.StoredKey;

/** What becomes of keys and requests when a device loses what it had. */
final class DeviceLossTest {

  private static final long CKR_DEVICE_ERROR = 0x30;

  private final PoolRig rig = PoolRig.of(20, 5, 20);
  private long now = System.nanoTime();

  private void look() {
    rig.workers.watch().look(now);
  }

  private void assertFails(KeyLease lease, Reason reason) {
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> PoolRig.signs(lease, PoolRig.EC))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
    assertThat(lease.destroy()).isEqualTo(Destruction.EPOCH_ENDED);
  }

  /** As the gate does it: no key is leased while the device is known to fail. */
  private int spendKeysWhileItIsNotKnownToFail(Reason reason) throws InterruptedException {
    int spent = 0;
    while (!rig.pools.failsToSign()) {
      assertFails(rig.lease(), reason);
      spent++;
    }
    return spent;
  }

  @Test
  void lostSessionsCostOneKeyAndTheOthersAreLoadedAgain() throws InterruptedException {
    rig.loaded(10);
    rig.hsm.loseSessions();

    assertThat(spendKeysWhileItIsNotKnownToFail(Reason.SESSION_LOST)).isEqualTo(1);
    look();

    assertThat(rig.pools.failsToSign()).isFalse();
    assertThat(rig.shelves.loaded(PoolRig.EC)).isZero();
    assertThat(rig.store.count(PoolRig.EC)).as("back in the store").isEqualTo(9);
    rig.load();
    assertThat(rig.shelves.loaded(PoolRig.EC)).isEqualTo(9);
    KeyLease lease = rig.lease();
    assertThat(PoolRig.signs(lease, PoolRig.EC)).isTrue();
    assertThat(lease.destroy()).isEqualTo(Destruction.DONE);
    assertThat(rig.pools.orphans()).isZero();
  }

  /** A device that takes another's place has the sessions, but none of the keys. */
  @Test
  void lostKeysCostOneKeyNotAllOfThem() throws InterruptedException {
    rig.loaded(10);
    rig.hsm.loseKeys();

    assertThat(spendKeysWhileItIsNotKnownToFail(Reason.KEY_GONE)).isEqualTo(1);
    look();

    rig.load();
    assertThat(rig.leaseAll()).hasSize(9).doesNotHaveDuplicates();
  }

  /** A loader may look into the store before the keys are back there. */
  @Test
  void whoFoundTheStoreDryMeanwhileHearsOfThem() throws InterruptedException {
    rig.loaded(10);
    rig.hsm.lose(rig.hsm.epoch(), "a test says so");
    rig.store.before(Call.PUT_BACK, this::dry);

    look();

    assertThat(rig.pools.outlook(PoolRig.EC)).isEqualTo(KeyOutlook.COMING);
  }

  private void dry() {
    try {
      rig.storeIsDry();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void orphansEndWithTheirEpoch() throws InterruptedException {
    rig.hsm.faults().destroyReturns(CKR_DEVICE_ERROR);
    for (int i = 0; i < PoolRig.MAX_ORPHANS; i++) {
      rig.destroy(rig.hsm.generate(PoolRig.EC).privateKey());
    }
    assertThat(rig.pools.atOrphanLimit()).isTrue();
    rig.hsm.loseSessions();
    rig.hsm.lose(rig.hsm.epoch(), "a test says so");

    look();
    rig.retryOrphans();

    assertThat(rig.pools.orphans()).isZero();
  }

  @Test
  void aDeviceThatStaysAwayIsTriedAfterPausesAndItsKeysAreBackMeanwhile()
      throws InterruptedException {
    rig.loaded(10);
    rig.hsm.loseSessions();
    rig.hsm.faults().fail(Operation.REOPEN, Reason.UNAVAILABLE);
    assertThat(spendKeysWhileItIsNotKnownToFail(Reason.SESSION_LOST)).isEqualTo(1);

    assertThatExceptionOfType(HsmException.class).isThrownBy(this::look);
    assertThat(rig.store.count(PoolRig.EC)).isEqualTo(9);
    assertThat(rig.pools.failsToSign()).isTrue();
    look();
    assertThat(rig.hsm.faults().calls(Operation.REOPEN)).as("a pause of 1 s").isEqualTo(1);

    rig.hsm.faults().heal(Operation.REOPEN);
    now += Duration.ofSeconds(1).toNanos();
    look();
    assertThat(rig.pools.failsToSign()).isFalse();
    rig.load();
    assertThat(rig.leaseAll()).hasSize(9);
  }

  @Test
  void theOrderlyStopOfADeviceThatIsLostPutsItsKeysBack() throws InterruptedException {
    rig.loaded(10);
    rig.hsm.loseSessions();
    assertThat(spendKeysWhileItIsNotKnownToFail(Reason.SESSION_LOST)).isEqualTo(1);

    assertThat(rig.pools.unload()).isEqualTo(9);

    assertThat(rig.store.count(PoolRig.EC)).isEqualTo(9);
  }

  /** It was unwrapped before the loss and comes to the shelf after it. */
  @Test
  void aKeyThatComesLateGoesBack() throws InterruptedException {
    rig.store(PoolRig.EC, 1);
    StoredKey stored = rig.store.claim(PoolRig.EC, 1).getFirst();
    KeyHandle early = rig.hsm.unwrap(stored.key());
    rig.hsm.lose(rig.hsm.epoch(), "a test says so");
    look();

    assertThat(rig.shelves.add(new LoadedKey(stored, early))).isFalse();
  }

  @Test
  void aKeyThatWasLeasedWhenItsEpochEndedIsNotTakenBack() throws InterruptedException {
    rig.loaded(2);
    KeyLease lease = rig.lease();
    rig.hsm.lose(rig.hsm.epoch(), "a test says so");
    look();

    assertThat(lease.returnUnused()).contains(Destruction.EPOCH_ENDED);
  }

  @Test
  void reopeningsAreTold() {
    List<Boolean> told = new ArrayList<>();
    PoolListener listener =
        new PoolListener() {
          @Override
          public void reopened(boolean succeeded, long nanos) {
            told.add(succeeded);
          }
        };
    PoolRig listened = new PoolRig(rig.pools.config(), listener);
    listened.hsm.faults().failNext(Operation.REOPEN, Reason.UNAVAILABLE, 1);
    listened.hsm.lose(listened.hsm.epoch(), "a test says so");

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> listened.workers.watch().look(now));
    listened.workers.watch().look(now + Duration.ofSeconds(1).toNanos());

    assertThat(told).containsExactly(false, true);
  }

  @Test
  void aDeviceThatHangsIsLeftAlone() {
    rig.hsm.faults().hung(true);

    look();

    assertThat(rig.pools.failsToSign()).isTrue();
    assertThat(rig.hsm.faults().calls(Operation.PROBE)).isZero();
    assertThat(rig.hsm.faults().calls(Operation.REOPEN)).isZero();
  }
}
