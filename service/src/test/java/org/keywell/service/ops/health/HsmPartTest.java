package org.keywell.service.ops.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.pkcs11.CkFunction;
import org.keywell.keypool.hsm.pkcs11.DeviceState;
import org.keywell.service.request.ManualTime;

final class HsmPartTest {

  private static final long CKR_DEVICE_ERROR = 0x30;

  private final ManualTime time = new ManualTime();
  private final DeviceState device = new DeviceState();
  private Duration oldest = Duration.ZERO;
  private final HsmPart part = new HsmPart(device, () -> oldest, new Moments(time, time));

  private void sign(long returnValue) {
    time.advance(Duration.ofSeconds(1));
    long now = time.getAsLong();
    device.returned(CkFunction.C_SIGN, returnValue, now, now);
  }

  private Instant now() {
    return new Moments(time, time).now();
  }

  @Test
  void isReadyWhileCallsSucceed() {
    sign(0);

    PartState state = part.state();
    assertThat(state.isReady()).isTrue();
    assertThat(state.details()).containsEntry("loggedIn", true).containsEntry("lastSuccess", now());
    assertThat(state.details()).doesNotContainKey("lastError");
  }

  @Test
  void tellsWhatFailsSinceWhen() {
    sign(0);
    sign(CKR_DEVICE_ERROR);
    Instant first = now();
    assertThat(part.state().isReady()).as("one failure").isTrue();
    assertThat(part.state().details())
        .containsEntry("lastError", "C_Sign returned CKR_DEVICE_ERROR (0x30)");
    for (int i = 0; i < 4; i++) {
      sign(CKR_DEVICE_ERROR);
    }

    PartState.Fault fault = part.state().fault().orElseThrow();
    assertThat(fault.reason())
        .isEqualTo("C_Sign returned CKR_DEVICE_ERROR (0x30), 5 times in a row");
    assertThat(fault.since()).isEqualTo(first);

    sign(0);
    assertThat(part.state().isReady()).isTrue();
  }

  @Test
  void aCallThatDoesNotReturnIsAFault() {
    oldest = Duration.ofSeconds(59);
    assertThat(part.state().isReady()).isTrue();

    oldest = Duration.ofSeconds(61);

    PartState.Fault fault = part.state().fault().orElseThrow();
    assertThat(fault.reason()).isEqualTo("a call has not returned for 61 s");
    assertThat(fault.since()).isEqualTo(now().minusSeconds(61));
  }
}
