package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.LiveKeyPair;

/** An idle device is asked, and one that is down proves itself before it counts as up again. */
final class DeviceWatchTest {
  private static final long CKR_DEVICE_ERROR = 0x30;

  private final SoftHsmToken token = SoftHsmToken.create();
  private final InterposedModule module = new InterposedModule(token.config());
  private final RecordedCalls calls = new RecordedCalls();
  private final DeviceState state = new DeviceState();
  private final Pkcs11Hsm hsm = open();
  private final DeviceWatch watch = new DeviceWatch(hsm, state);

  private Pkcs11Hsm open() {
    try (Pin pin = token.pin()) {
      return Pkcs11Hsm.open(module.library(), token.config(), pin, state.andThen(calls));
    }
  }

  @AfterEach
  void close() {
    hsm.close();
  }

  private void look(Duration afterTheLastCall) {
    calls.clear();
    watch.look(state.lastSuccessNanos() + afterTheLastCall.toNanos());
  }

  @Test
  void aDeviceInUseIsNotAsked() {
    look(Duration.ofSeconds(4));

    assertThat(calls.calls()).isEmpty();
  }

  @Test
  void anIdleDeviceIsAskedForSessionAndToken() {
    look(Duration.ofSeconds(5));

    assertThat(calls.functions())
        .containsExactly(CkFunction.C_GET_SESSION_INFO, CkFunction.C_GET_TOKEN_INFO);
  }

  @Test
  void aDeviceThatIsDownHasToProveItself() {
    module.destroyObjectReturns(CKR_DEVICE_ERROR);
    LiveKeyPair pair = hsm.generate(KeySpec.EC_P256);
    for (int i = 0; i < DeviceState.FAILURES; i++) {
      hsm.destroy(pair.privateKey());
    }
    assertThat(state.down()).isPresent();

    assertThatExceptionOfType(HsmException.class).isThrownBy(() -> look(Duration.ZERO));
    assertThat(state.down()).isPresent();

    module.destroyObjectReturns(0);
    look(Duration.ZERO);
    assertThat(state.down()).isEmpty();
    assertThat(calls.functions()).contains(CkFunction.C_GENERATE_KEY_PAIR, CkFunction.C_SIGN);
  }

  @Test
  void aLoginThatIsGoneIsNoticed() {
    try (Session other = Session.open(module.library().functions(), hsm.slotId())) {
      assertThat(module.logout(other.handle())).isZero();
    }

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> look(Duration.ofSeconds(5)))
        .withMessageContaining("not logged in");
    assertThat(state.isLoggedIn()).isFalse();
    assertThatExceptionOfType(HsmException.class)
        .as("it does not prove itself")
        .isThrownBy(() -> look(Duration.ZERO));
  }
}
