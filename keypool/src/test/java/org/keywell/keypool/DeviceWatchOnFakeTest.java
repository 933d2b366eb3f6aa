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
