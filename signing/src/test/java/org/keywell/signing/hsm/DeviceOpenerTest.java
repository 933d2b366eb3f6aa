package org.keywell.signing.hsm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/** Which failures of the HSM a start waits out. */
final class DeviceOpenerTest {

  @Test
  void aDeviceThatSaysItIsNotThereIsWaitedFor() {
    assertThat(waits(Reason.UNAVAILABLE, 0xE0)).as("CKR_TOKEN_NOT_PRESENT").isTrue();
    assertThat(waits(Reason.UNAVAILABLE, 0x32)).as("CKR_DEVICE_REMOVED").isTrue();
    assertThat(waits(Reason.UNAVAILABLE, 0x30)).as("CKR_DEVICE_ERROR").isTrue();
  }

  @Test
  void aWrongPinOrConfigurationIsNot() {
    assertThat(waits(Reason.LOGIN_REFUSED, 0xA0)).as("CKR_PIN_INCORRECT").isFalse();
    assertThat(waits(Reason.LOGIN_REFUSED, -1)).as("an earlier login failed").isFalse();
    assertThat(waits(Reason.UNAVAILABLE, -1)).as("no module").isFalse();
    assertThat(waits(Reason.NOT_BOOTSTRAPPED, -1)).as("no token of this label").isFalse();
  }

  private static boolean waits(Reason reason, long returnValue) {
    return DeviceOpener.isNotThereYet(new HsmException(reason, returnValue, "told"));
  }
}
