package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

final class LoginHistoryTest {

  @Test
  void aTokenThatDoesNotExistYetHasNone() {
    assertPasses(SoftHsmToken.notYetCreated());
  }

  @Test
  void aWrongPinIsNotTriedAgainUntilALoginSucceeds() {
    SoftHsmToken token = SoftHsmToken.create();
    assertPasses(token);

    try (Pin wrong = Pin.of("wrong-pin".toCharArray())) {
      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> Pkcs11Hsm.open(token.config(), wrong));
    }
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> LoginHistory.requireNoFailure(token.config()))
        .withMessageContaining(token.config().tokenLabel())
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.LOGIN_REFUSED));

    token.open().close();
    assertPasses(token);
  }

  private static void assertPasses(SoftHsmToken token) {
    assertThatCode(() -> LoginHistory.requireNoFailure(token.config())).doesNotThrowAnyException();
  }
}
