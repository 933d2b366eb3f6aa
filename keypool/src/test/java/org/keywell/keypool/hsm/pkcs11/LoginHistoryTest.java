package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.keywell.testkit.RandomPin;

@Tag("softhsm")
final class LoginHistoryTest {

  @Test
  void aTokenThatDoesNotExistYetHasNone() {
    assertPasses(SoftHsmToken.notYetCreated());
  }

  @Test
  void aWrongPinIsNotTriedAgainUntilALoginSucceeds() {
    SoftHsmToken token = SoftHsmToken.create();
    assertPasses(token);

    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> Pkcs11Hsm.open(token.config(), () -> Pin.of("wrong-pin".toCharArray())));
    assertThatExceptionOfType(HsmException.class)
        .isThrownBy(() -> LoginHistory.requireNoFailure(token.config()))
        .withMessageContaining(token.config().tokenLabel())
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.LOGIN_REFUSED));

    token.open().close();
    assertPasses(token);
  }

  /** A token that was initialised, but whose user got no PIN: each start would log the SO in. */
  @Test
  void aWrongPinOfTheSecurityOfficerIsNotTriedAgainUntilALoginSucceeds() {
    SoftHsmToken token = SoftHsmToken.notYetCreated();
    try (Pin soPin = Pin.of(RandomPin.characters());
        Pin wrong = Pin.of("wrong-pin".toCharArray());
        Pin tooShort = Pin.of("1".toCharArray());
        Pin pin = token.pin()) {
      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> TokenBootstrap.ensureToken(token.config(), soPin, tooShort));
      assertPasses(token);

      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> TokenBootstrap.ensureToken(token.config(), wrong, pin));
      assertThatExceptionOfType(HsmException.class)
          .isThrownBy(() -> LoginHistory.requireNoFailure(token.config()))
          .withMessageContaining("security officer")
          .withMessageContaining(token.config().tokenLabel())
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.LOGIN_REFUSED));

      TokenBootstrap.ensureToken(token.config(), soPin, pin);
      assertPasses(token);
    }
  }

  private static void assertPasses(SoftHsmToken token) {
    assertThatCode(() -> LoginHistory.requireNoFailure(token.config())).doesNotThrowAnyException();
  }
}
