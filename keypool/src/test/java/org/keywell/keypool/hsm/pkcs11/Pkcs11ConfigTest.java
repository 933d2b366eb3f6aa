package org.keywell.keypool.hsm.pkcs11;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class Pkcs11ConfigTest {
  private static Pkcs11Config config(String module, String token, String key, int maxSessions) {
    return new Pkcs11Config(Path.of(module), token, key, Optional.empty(), maxSessions);
  }

  private static void assertRefused(
      String named, String module, String token, String key, int maxSessions) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> config(module, token, key, maxSessions))
        .withMessageContaining(named);
  }

  @Test
  void refusalsNameTheSetting() {
    assertRefused("module", "lib.so", "token", "key", 1);
    assertRefused("tokenLabel", "/lib.so", " ", "key", 1);
    assertRefused("tokenLabel", "/lib.so", "token ", "key", 1);
    assertRefused("tokenLabel", "/lib.so", "ä".repeat(17), "key", 1);
    assertRefused("wrappingKeyLabel", "/lib.so", "token", "", 1);
    assertRefused("wrappingKeyLabel", "/lib.so", "token", "k".repeat(65), 1);
    assertRefused("maxSessions", "/lib.so", "token", "key", 0);
    assertRefused("maxSessions", "/lib.so", "token", "key", 1025);
  }

  @Test
  void asManyUnwrapAtTheSameTimeAsAreTold() {
    Pkcs11Config usual = config("/lib.so", "token", "key", 4);

    assertThat(usual.unwrapSessions()).isEqualTo(Pkcs11Config.UNWRAP_SESSIONS);
    assertThat(unwrapping(64).withWrappingKeyLabel("other").unwrapSessions()).isEqualTo(64);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> unwrapping(0))
        .withMessageContaining("unwrapSessions");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> unwrapping(65))
        .withMessageContaining("unwrapSessions");
  }

  private static Pkcs11Config unwrapping(int sessions) {
    return new Pkcs11Config(Path.of("/lib.so"), "token", "key", Optional.empty(), 4, sessions);
  }

  @Test
  void theLimitsThemselvesAreAllowed() {
    assertThatCode(() -> config("/lib.so", "t".repeat(32), "k".repeat(64), 1024))
        .doesNotThrowAnyException();
  }
}
