package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.HsmHealth;

final class DeviceStateTest {

  private final DeviceState state = new DeviceState(CallLimits.DEFAULT);
  private long nanos;

  private void returns(CkFunction function, ReturnValue value) {
    returns(function, value.code());
  }

  private void returns(CkFunction function, long value) {
    nanos++;
    state.returned(function, value, nanos - 1, nanos);
  }

  private void fails(int times, CkFunction function, ReturnValue value) {
    for (int i = 0; i < times; i++) {
      returns(function, value);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = CkFunction.class,
      names = {"C_SIGN", "C_SIGN_INIT", "C_GENERATE_KEY_PAIR", "C_WRAP_KEY", "C_DESTROY_OBJECT"})
  void fiveFailuresOfOneFunctionInARowMeanDown(CkFunction function) {
    fails(4, function, ReturnValue.CKR_DEVICE_ERROR);
    assertThat(state.down()).isEmpty();

    returns(function, ReturnValue.CKR_DEVICE_ERROR);

    DeviceState.Failure failure = state.down().orElseThrow();
    assertThat(failure.firstNanos()).isEqualTo(1);
    assertThat(failure.lastNanos()).isEqualTo(5);
    assertThat(failure.inARow()).isEqualTo(5);
    assertThat(failure.message()).isEqualTo(function.label() + " returned CKR_DEVICE_ERROR (0x30)");

    returns(function, ReturnValue.CKR_OK);
    assertThat(state.down()).isEmpty();
    assertThat(state.lastFailure()).as("stays, for operators").contains(failure);
    assertThat(state.lastSuccessNanos()).isEqualTo(6);
  }

  @Test
  void theSuccessOfAnotherFunctionDoesNotHide() {
    for (int i = 0; i < 5; i++) {
      returns(CkFunction.C_SIGN, ReturnValue.CKR_DEVICE_ERROR);
      returns(CkFunction.C_GENERATE_KEY_PAIR, ReturnValue.CKR_OK);
    }

    assertThat(state.down()).isPresent();
  }

  @Test
  void failuresBetweenSuccessesAreNotInARow() {
    for (int i = 0; i < 20; i++) {
      fails(4, CkFunction.C_SIGN, ReturnValue.CKR_DEVICE_ERROR);
      returns(CkFunction.C_SIGN, ReturnValue.CKR_OK);
    }

    assertThat(state.down()).isEmpty();
  }

  @Test
  void damagedKeysAreNotTheDevicesFault() {
    fails(50, CkFunction.C_UNWRAP_KEY, ReturnValue.CKR_GENERAL_ERROR);
    fails(50, CkFunction.C_UNWRAP_KEY, ReturnValue.CKR_DEVICE_ERROR);
    fails(50, CkFunction.C_DESTROY_OBJECT, ReturnValue.CKR_OBJECT_HANDLE_INVALID);
    fails(50, CkFunction.C_GENERATE_KEY_PAIR, ReturnValue.CKR_MECHANISM_INVALID);
    fails(50, CkFunction.C_FIND_OBJECTS, ReturnValue.CKR_DEVICE_ERROR);

    assertThat(state.down()).isEmpty();
    assertThat(state.lastFailure()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0x5, 0x6, 0x30, 0x54, 0x60, 0xE0, 0x80000005L, -2})
  void whateverItReturnsADeviceThatDoesNotSignIsDown(long returnValue) {
    for (int i = 0; i < 5; i++) {
      returns(CkFunction.C_SIGN_INIT, ReturnValue.CKR_OK);
      returns(CkFunction.C_SIGN, returnValue);
    }

    assertThat(state.down()).isPresent();
  }

  @Test
  void aCallThatTookTooLongIsHeldAgainstItUntilItHasProvedItself() {
    Calls calls = new Calls(1, CallLimits.DEFAULT, CallListener.NONE);
    state.returned(CkFunction.C_SIGN, 0, 0, Duration.ofSeconds(34).toNanos());

    assertThat(state.failsToSign()).isTrue();
    HsmHealth health = state.health(new Life(), calls);
    assertThat(health.state()).isEqualTo(HsmHealth.State.DOWN);
    assertThat(health.hung()).as("it has returned").isFalse();
    assertThat(health.down().orElseThrow().message()).isEqualTo("C_Sign took 34 s");

    returns(CkFunction.C_SIGN, ReturnValue.CKR_OK);
    assertThat(state.failsToSign()).isTrue();

    state.proved();
    assertThat(state.failsToSign()).isFalse();
    assertThat(state.health(new Life(), calls).state()).isEqualTo(HsmHealth.State.UP);
  }

  /** C_Sign succeeds each time. */
  @Test
  void signaturesThatDoNotVerifyAreFailuresUntilAProof() {
    Calls calls = new Calls(1, CallLimits.DEFAULT, CallListener.NONE);
    for (int i = 0; i < 4; i++) {
      returns(CkFunction.C_SIGN, ReturnValue.CKR_OK);
      state.result(CkFunction.C_SIGN, false, ++nanos);
    }
    assertThat(state.failsToSign()).isFalse();
    assertThat(state.health(new Life(), calls).state()).isEqualTo(HsmHealth.State.DOUBTFUL);
    state.result(CkFunction.C_SIGN, true, ++nanos);
    assertThat(state.health(new Life(), calls).state()).isEqualTo(HsmHealth.State.UP);

    for (int i = 0; i < 5; i++) {
      returns(CkFunction.C_SIGN, ReturnValue.CKR_OK);
      state.result(CkFunction.C_SIGN, false, ++nanos);
    }
    returns(CkFunction.C_SIGN, ReturnValue.CKR_OK);
    assertThat(state.failsToSign()).isTrue();
    HsmHealth health = state.health(new Life(), calls);
    assertThat(health.state()).isEqualTo(HsmHealth.State.DOWN);
    assertThat(health.down().orElseThrow().message()).contains("does not verify");
    assertThat(health.down().orElseThrow().inARow()).isEqualTo(5);
    assertThat(health.lastFailure()).isEqualTo(health.down());

    state.proved();
    assertThat(state.failsToSign()).isFalse();
    assertThat(state.health(new Life(), calls).lastFailure()).as("stays").isPresent();
  }

  @Test
  void isInDoubtAfterOneFailureAndDownAfterFive() {
    Calls calls = new Calls(1, CallLimits.DEFAULT, CallListener.NONE);
    returns(CkFunction.C_SIGN, ReturnValue.CKR_DEVICE_ERROR);
    assertThat(state.health(new Life(), calls).state()).isEqualTo(HsmHealth.State.DOUBTFUL);

    fails(4, CkFunction.C_SIGN, ReturnValue.CKR_DEVICE_ERROR);
    assertThat(state.health(new Life(), calls).state()).isEqualTo(HsmHealth.State.DOWN);

    state.reopened();
    assertThat(state.health(new Life(), calls).state()).isEqualTo(HsmHealth.State.UP);
  }

  @Test
  void isBeingReopenedUntilThatFailed() {
    Calls calls = new Calls(1, CallLimits.DEFAULT, CallListener.NONE);
    Life life = new Life();
    life.lost("C_UnwrapKey returned CKR_SESSION_HANDLE_INVALID (0xB3)", 7);
    HsmHealth reopening = state.health(life, calls);
    assertThat(reopening.state()).isEqualTo(HsmHealth.State.REOPENING);
    assertThat(reopening.loggedIn()).isFalse();
    assertThat(reopening.down().orElseThrow().message()).startsWith("C_UnwrapKey");

    life.reopeningFailed("no slot has a token", 8);
    life.reopeningFailed("no slot has a token", 9);
    HsmHealth down = state.health(life, calls);
    assertThat(down.state()).isEqualTo(HsmHealth.State.DOWN);
    assertThat(down.down()).contains(new HsmHealth.Failure("no slot has a token", 2, 7, 9));

    life.reopened();
    assertThat(state.health(life, calls).state()).isEqualTo(HsmHealth.State.UP);
  }

  @Test
  void theEarliestOfSeveralIsToBlame() {
    returns(CkFunction.C_SIGN, ReturnValue.CKR_DEVICE_ERROR);
    fails(5, CkFunction.C_WRAP_KEY, ReturnValue.CKR_DEVICE_ERROR);
    fails(4, CkFunction.C_SIGN, ReturnValue.CKR_DEVICE_ERROR);

    assertThat(state.down().orElseThrow().function()).isEqualTo(CkFunction.C_SIGN);
  }
}
