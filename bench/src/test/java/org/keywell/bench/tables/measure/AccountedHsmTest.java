package org.keywell.bench.tables.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;

final class AccountedHsmTest {
  private static final long CKR_DEVICE_ERROR = 0x30;

  private final FakeHsm device = new FakeHsm();
  private final AccountedHsm hsm = new AccountedHsm(device);

  @Test
  void everyKeyThatComesToBeIsCounted() {
    LiveKeyPair made = hsm.generateExtractable(KeySpec.EC_P256);
    WrappedKey wrapped = hsm.wrap(made);
    hsm.generate(KeySpec.EC_P256);
    hsm.unwrap(wrapped);

    assertThat(hsm.made()).isEqualTo(3);
    assertThat(hsm.destroyed()).isZero();
    hsm.destroyAll();
    assertThat(hsm.destroyed()).isEqualTo(3);
    assertThat(device.countLiveKeys()).isZero();
  }

  @Test
  void aKeyIsDestroyedOnce() {
    KeyHandle key = hsm.generate(KeySpec.EC_P256).privateKey();

    assertThat(hsm.destroy(key).succeeded()).isTrue();
    assertThat(hsm.destroy(key).succeeded()).isFalse();
    hsm.destroyAll();
    assertThat(hsm.destroyed()).isEqualTo(1);
  }

  @Test
  void aKeyThatTheDeviceDoesNotDestroyStaysOnAccount() {
    KeyHandle key = hsm.generate(KeySpec.EC_P256).privateKey();
    device.faults().destroyReturns(CKR_DEVICE_ERROR);
    hsm.destroy(key);
    assertThat(hsm.destroyed()).isZero();

    device.faults().destroyReturns(0);
    hsm.destroyAll();
    assertThat(hsm.destroyed()).isEqualTo(1);
    assertThat(device.countLiveKeys()).isZero();
  }

  @Test
  void aKeyThatCouldNotBeMadeIsNone() {
    device.faults().fail(Operation.GENERATE, Reason.FAILED);

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> hsm.generate(KeySpec.EC_P256));
    assertThat(hsm.made()).isZero();
  }
}
