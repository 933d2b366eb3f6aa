package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.keypool.PoolRig.EC;

import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;

final class KeyDestroyerTest {

  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final long CKR_OBJECT_HANDLE_INVALID = 0x82;

  private final FakeHsm hsm = new FakeHsm();
  private final KeyDestroyer destroyer = new KeyDestroyer(hsm, 2, PoolListener.NONE);

  private KeyHandle live() {
    return hsm.generate(EC).privateKey();
  }

  private void orphan(int count) {
    hsm.faults().destroyReturns(CKR_DEVICE_ERROR);
    for (int i = 0; i < count; i++) {
      destroyer.destroy(live());
    }
  }

  @Test
  void aKeyThatIsDestroyedIsNoOrphan() {
    assertThat(destroyer.destroy(live()).succeeded()).isTrue();

    assertThat(destroyer.count()).isZero();
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aKeyThatIsNotDestroyedIsOneAndTheEvidenceIsReturned() {
    hsm.faults().destroyReturns(CKR_DEVICE_ERROR);

    assertThat(destroyer.destroy(live()).returnValue()).isEqualTo(CKR_DEVICE_ERROR);

    assertThat(destroyer.count()).isEqualTo(1);
  }

  /** After a restart of the device this is true of every key, and must not stop the signing. */
  @Test
  void aKeyThatTheDeviceDoesNotKnowIsNoOrphan() {
    KeyHandle gone = live();
    hsm.destroy(gone);

    assertThat(destroyer.destroy(gone).returnValue()).isEqualTo(CKR_OBJECT_HANDLE_INVALID);

    assertThat(destroyer.count()).isZero();
  }

  @Test
  void retriesUntilTheDeviceDestroysThem() {
    orphan(2);
    assertThat(destroyer.retry()).isZero();
    assertThat(destroyer.count()).isEqualTo(2);

    hsm.faults().healAll();

    assertThat(destroyer.retry()).isEqualTo(2);
    assertThat(destroyer.count()).isZero();
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aRetryCountsKeysThatAreGoneByOtherMeans() {
    orphan(1);

    hsm.faults().destroyReturns(CKR_OBJECT_HANDLE_INVALID);

    assertThat(destroyer.retry()).isEqualTo(1);
    assertThat(destroyer.count()).isZero();
  }

  /** A device that destroys nothing must not be kept from other work by being told to. */
  @Test
  void aRetryEndsAfterAFewFailures() {
    orphan(20);
    long before = hsm.faults().calls(Operation.DESTROY);

    destroyer.retry();

    assertThat(hsm.faults().calls(Operation.DESTROY) - before).isEqualTo(5);
  }

  @Test
  void retriesTakeTurns() {
    orphan(20);
    for (int i = 0; i < 3; i++) {
      destroyer.retry();
    }
    hsm.faults().healAll();

    assertThat(destroyer.retry()).isEqualTo(20);
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aRetryTakesInWhatTheDeviceLeftBehind() {
    hsm.leaveBehind(live());
    hsm.faults().destroyReturns(CKR_DEVICE_ERROR);

    destroyer.retry();
    assertThat(destroyer.count()).isEqualTo(1);

    hsm.faults().healAll();
    assertThat(destroyer.retry()).isEqualTo(1);
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void tellsWhenTheLimitIsReached() {
    orphan(1);
    assertThat(destroyer.atLimit()).isFalse();

    orphan(1);
    assertThat(destroyer.atLimit()).isTrue();
  }

  @Test
  void lastTriesTheOrphansBeforeItRefusesAnotherKey() {
    orphan(2);
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(destroyer::requireBelowLimit)
        .withMessageContaining("max-orphans")
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.EXHAUSTED));

    hsm.faults().healAll();
    destroyer.requireBelowLimit();

    assertThat(destroyer.count()).isZero();
  }

  /** The account of live keys must not depend on who listens. */
  @Test
  void aListenerThatThrowsChangesNoCount() {
    KeyDestroyer told = new KeyDestroyer(hsm, 2, new Throwing());
    assertThat(told.destroy(live()).succeeded()).isTrue();

    hsm.faults().destroyReturns(CKR_DEVICE_ERROR);
    told.destroy(live());
    assertThat(told.count()).isEqualTo(1);

    hsm.faults().healAll();
    assertThat(told.retry()).isEqualTo(1);
    assertThat(told.count()).isZero();
    assertThat(hsm.countLiveKeys()).isZero();
  }

  private static final class Throwing implements PoolListener {
    @Override
    public void destroyed(KeySpec spec) {
      throw new IllegalStateException("a listener with a defect");
    }

    @Override
    public void orphaned(KeySpec spec) {
      throw new IllegalStateException("a listener with a defect");
    }
  }

  @Test
  void refusesALimitThatAllowsNoWork() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new KeyDestroyer(hsm, 0, PoolListener.NONE))
        .withMessageContaining("max-orphans");
  }
}
