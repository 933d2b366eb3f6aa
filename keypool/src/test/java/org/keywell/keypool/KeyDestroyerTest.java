package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.keywell.keypool.PoolRig.EC;

import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;

final class KeyDestroyerTest {

  private static final long CKR_DEVICE_ERROR = 0x30;
  private static final long CKR_OBJECT_HANDLE_INVALID = 0x82;

  private final FakeHsm hsm = new FakeHsm();
  private final KeyDestroyer orphans = new KeyDestroyer(hsm, 2);

  private KeyHandle live() {
    return hsm.generate(EC).privateKey();
  }

  private void orphan(int count) {
    hsm.faults().destroyReturns(CKR_DEVICE_ERROR);
    for (int i = 0; i < count; i++) {
      orphans.destroy(live());
    }
  }

  @Test
  void aKeyThatIsDestroyedIsNoOrphan() {
    assertThat(orphans.destroy(live()).succeeded()).isTrue();

    assertThat(orphans.count()).isZero();
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aKeyThatIsNotDestroyedIsOneAndTheEvidenceIsReturned() {
    hsm.faults().destroyReturns(CKR_DEVICE_ERROR);

    assertThat(orphans.destroy(live()).returnValue()).isEqualTo(CKR_DEVICE_ERROR);

    assertThat(orphans.count()).isEqualTo(1);
  }

  /** After a restart of the device this is true of every key, and must not stop the signing. */
  @Test
  void aKeyThatTheDeviceDoesNotKnowIsNoOrphan() {
    KeyHandle gone = live();
    hsm.destroy(gone);

    assertThat(orphans.destroy(gone).returnValue()).isEqualTo(CKR_OBJECT_HANDLE_INVALID);

    assertThat(orphans.count()).isZero();
  }

  @Test
  void retriesUntilTheDeviceDestroysThem() {
    orphan(2);
    assertThat(orphans.retry()).isZero();
    assertThat(orphans.count()).isEqualTo(2);

    hsm.faults().healAll();

    assertThat(orphans.retry()).isEqualTo(2);
    assertThat(orphans.count()).isZero();
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aRetryCountsKeysThatAreGoneByOtherMeans() {
    orphan(1);

    hsm.faults().destroyReturns(CKR_OBJECT_HANDLE_INVALID);

    assertThat(orphans.retry()).isEqualTo(1);
    assertThat(orphans.count()).isZero();
  }

  /** A device that destroys nothing must not be kept from other work by being told to. */
  @Test
  void aRetryEndsAfterAFewFailures() {
    orphan(20);
    long before = hsm.faults().calls(Operation.DESTROY);

    orphans.retry();

    assertThat(hsm.faults().calls(Operation.DESTROY) - before).isEqualTo(5);
  }

  @Test
  void retriesTakeTurns() {
    orphan(20);
    for (int i = 0; i < 3; i++) {
      orphans.retry();
    }
    hsm.faults().healAll();

    assertThat(orphans.retry()).isEqualTo(20);
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aRetryTakesInWhatTheDeviceLeftBehind() {
    hsm.leaveBehind(live());
    hsm.faults().destroyReturns(CKR_DEVICE_ERROR);

    orphans.retry();
    assertThat(orphans.count()).isEqualTo(1);

    hsm.faults().healAll();
    assertThat(orphans.retry()).isEqualTo(1);
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void tellsWhenTheLimitIsReached() {
    orphan(1);
    assertThat(orphans.atLimit()).isFalse();

    orphan(1);
    assertThat(orphans.atLimit()).isTrue();
  }

  @Test
  void refusesALimitThatAllowsNoWork() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new KeyDestroyer(hsm, 0))
        .withMessageContaining("max-orphans");
  }
}
