package org.keywell.keypool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.fake.FakeHsm;
import org.keywell.keypool.hsm.fake.Operation;

/** When the watch asks a device, whatever it is; what a real one does then is tested on SoftHSM. */
final class DeviceWatchOnFakeTest {

  private static final long CKR_DEVICE_ERROR = 0x30;

  private final FakeHsm hsm = new FakeHsm();
  private final WatchedDevice watch = new WatchedDevice(hsm, 1);

  private void look(Duration afterTheLastCall) {
    watch.look(hsm.health().lastSuccessNanos() + afterTheLastCall.toNanos());
  }

  private long probes() {
    return hsm.faults().calls(Operation.PROBE);
  }

  private long proofs() {
    return hsm.faults().calls(Operation.SIGN);
  }

  @Test
  void asksADeviceThatHasBeenIdleForFiveSeconds() {
    look(Duration.ofSeconds(4));
    assertThat(probes()).isZero();

    look(Duration.ofSeconds(5));
    assertThat(probes()).isEqualTo(1);
    assertThat(proofs()).as("it is up").isZero();
  }

  @Test
  void hasADeviceThatIsDownProveItself() {
    hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    hsm.faults().failNext(Operation.SIGN, Reason.UNAVAILABLE, 1);

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> look(Duration.ZERO));
    assertThat(hsm.failsToSign()).isTrue();

    look(Duration.ZERO);
    assertThat(hsm.failsToSign()).isFalse();
    assertThat(hsm.countLiveKeys()).isZero();
  }

  @Test
  void aDeviceThatDoesNotAnswerIsNotMadeToProveItself() {
    hsm.faults().down("C_Sign returned CKR_DEVICE_ERROR (0x30)");
    hsm.faults().fail(Operation.PROBE, Reason.SESSION_LOST);

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> look(Duration.ZERO));

    assertThat(proofs()).isZero();
  }

  @Test
  void aDeviceWhoseProofsKeepFailingIsReopened() {
    long epoch = hsm.epoch();
    hsm.faults().down("C_GetTokenInfo returned CKR_GENERAL_ERROR (0x5)");
    hsm.faults().fail(Operation.PROBE, Reason.UNAVAILABLE);
    for (int i = 0; i < WatchedDevice.FAILED_PROOFS; i++) {
      assertThat(hsm.health().loggedIn()).as("before proof " + i).isTrue();
      assertThatExceptionOfType(HsmException.class).isThrownBy(() -> look(Duration.ZERO));
    }
    assertThat(hsm.health().loggedIn()).isFalse();
    hsm.faults().up();
    hsm.faults().heal(Operation.PROBE);

    look(Duration.ZERO);

    assertThat(hsm.epoch()).isNotEqualTo(epoch);
    assertThat(hsm.failsToSign()).isFalse();
  }

  /** It signs with the keys that it has: reopening would take them. */
  @Test
  void aDeviceThatOnlyLacksRoomIsNot() {
    hsm.faults().down("C_GenerateKeyPair returned CKR_DEVICE_MEMORY (0x31)");
    hsm.faults().fail(Operation.SIGN, Reason.FULL);
    for (int i = 0; i < 2 * WatchedDevice.FAILED_PROOFS; i++) {
      assertThatExceptionOfType(HsmException.class).isThrownBy(() -> look(Duration.ZERO));
    }
    assertThat(hsm.health().loggedIn()).isTrue();
  }

  @Test
  void atTheLimitOfOrphansNoKeyIsMadeForAProof() {
    hsm.leaveBehind(hsm.generate(KeySpec.EC_P256).privateKey());
    hsm.faults().destroyReturns(CKR_DEVICE_ERROR);
    hsm.faults().down("C_DestroyObject returned CKR_DEVICE_ERROR (0x30)");

    look(Duration.ZERO);
    assertThat(watch.orphans()).isEqualTo(1);
    assertThat(proofs()).isZero();

    hsm.faults().destroyReturns(0);
    look(Duration.ZERO);
    assertThat(watch.orphans()).isZero();
    assertThat(proofs()).isEqualTo(1);
    assertThat(hsm.failsToSign()).isFalse();
  }

  @Test
  void aDeviceThatIsLostEveryTenSecondsIsReopenedAtOnceEachTime() {
    long began = hsm.health().lastSuccessNanos();
    for (int seconds = 0; seconds < 300; seconds += 10) {
      hsm.lose(hsm.epoch(), "idle time-out");

      watch.look(began + Duration.ofSeconds(seconds).toNanos());

      assertThat(hsm.failsToSign()).as("after " + seconds + " s").isFalse();
    }
  }

  @Test
  void whatFailsToReopenIsTriedAgainAfterAPause() {
    long began = hsm.health().lastSuccessNanos();
    hsm.faults().failNext(Operation.REOPEN, Reason.UNAVAILABLE, 1);
    hsm.lose(hsm.epoch(), "idle time-out");
    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> watch.look(began));

    watch.look(began + DeviceCare.FIRST_PAUSE.toNanos() - 1);
    assertThat(hsm.failsToSign()).isTrue();

    watch.look(began + DeviceCare.FIRST_PAUSE.toNanos());
    assertThat(hsm.failsToSign()).isFalse();
  }
}
