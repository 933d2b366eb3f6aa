package org.keywell.signing.hsm.enrol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.settings.StartRefusedException;

final class KeyFingerprintTest {

  /** FIPS 180-4's example, as sha256sum prints it. */
  private static final String OF_ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  private static final KeyFingerprint ABC = KeyFingerprint.of("abc".getBytes(US_ASCII));

  @Test
  void isSha256InGroups() {
    assertThat(ABC.toString()).startsWith("ba78-16bf-8f01-").endsWith("-15ad").hasSize(79);
    assertThat(ABC.toString().replace("-", "")).isEqualTo(OF_ABC);
  }

  @Test
  void isTakenHoweverAPersonGroupsIt() {
    assertThat(KeyFingerprint.parse(ABC.toString())).isEqualTo(ABC);
    assertThat(KeyFingerprint.parse(OF_ABC)).isEqualTo(ABC);
    assertThat(KeyFingerprint.parse(" BA:78 16-bf" + OF_ABC.substring(8) + "\n")).isEqualTo(ABC);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ba78-16bf", "x", OF_ABC + "0"})
  void isTakenWholeOnly(String text) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> KeyFingerprint.parse(text))
        .withMessageContaining("64 hexadecimal digits");
  }
}
