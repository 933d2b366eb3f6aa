package org.keywell.signing.hsm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.keypool.hsm.pkcs11.ReturnValue;
import org.keywell.settings.StartRefusedException;

final class PassingFailureTest {

  private static boolean passes(Reason reason, long returnValue) {
    return PassingFailure.isIn(
        new IllegalStateException("bean", new HsmException(reason, returnValue, "told")));
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "CKR_GENERAL_ERROR",
        "CKR_FUNCTION_FAILED",
        "CKR_DEVICE_ERROR",
        "CKR_DEVICE_MEMORY",
        "CKR_DEVICE_REMOVED",
        "CKR_HOST_MEMORY",
        "CKR_TOKEN_NOT_PRESENT",
        "CKR_SESSION_HANDLE_INVALID",
        "CKR_SESSION_COUNT",
        "CKR_OBJECT_HANDLE_INVALID",
        "CKR_OPERATION_ACTIVE",
        "CKR_CRYPTOKI_NOT_INITIALIZED"
      })
  void aDeviceThatFailsMayWorkAgain(ReturnValue value) {
    assertThat(passes(value.reason(), value.code())).isTrue();
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "CKR_PIN_INCORRECT",
        "CKR_PIN_LOCKED",
        "CKR_USER_PIN_NOT_INITIALIZED",
        "CKR_MECHANISM_INVALID",
        "CKR_TEMPLATE_INCONSISTENT",
        "CKR_TOKEN_WRITE_PROTECTED",
        "CKR_KEY_FUNCTION_NOT_PERMITTED"
      })
  void whatATokenDoesNotAllowStays(ReturnValue value) {
    assertThat(passes(value.reason(), value.code())).isFalse();
  }

  @Test
  void aVendorsValueMayPass() {
    assertThat(passes(Reason.FAILED, 0x80000001L)).isTrue();
  }

  @Test
  void aMissingModuleTokenOrPinStays() {
    assertThat(passes(Reason.UNAVAILABLE, -1)).as("no module").isFalse();
    assertThat(passes(Reason.NOT_BOOTSTRAPPED, -1)).as("no token of this label").isFalse();
    assertThat(passes(Reason.LOGIN_REFUSED, -1)).as("an earlier login failed").isFalse();
    assertThat(PassingFailure.isIn(new StartRefusedException("no PIN"))).isFalse();
    assertThat(PassingFailure.isIn(new IllegalStateException(new IOException("full")))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "08000", "08001", "08003", "08006", "57P01", "57P02", "57P03", "53100", "53300", "40001",
        "40P01", "55P03", "57014", "58030", "25006"
      })
  void aDatabaseThatIsNotThereMayBeSoon(String state) {
    assertThat(PassingFailure.isIn(sql(state))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"28P01", "28000", "3D000", "08004", "42501", "42P01", "57P04", "22023"})
  void whatItRefusesStays(String state) {
    assertThat(PassingFailure.isIn(sql(state))).isFalse();
  }

  @Test
  void aPoolWithoutConnectionsKnowsWhy() {
    assertThat(PassingFailure.isIn(new SQLTransientConnectionException("timeout"))).isTrue();
    assertThat(
            PassingFailure.isIn(
                new SQLTransientConnectionException(
                    "timeout", new SQLException("password", "28P01"))))
        .isFalse();
  }

  private static Exception sql(String state) {
    return new IllegalStateException("bean", new SQLException("told", state));
  }
}
