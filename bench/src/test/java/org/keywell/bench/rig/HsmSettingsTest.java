package org.keywell.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.keypool.hsm.pkcs11.Pkcs11Config;

final class HsmSettingsTest {
  private static final Map<String, String> LEAST =
      Map.of("KEYWELL_HSM_MODULE", "/lib/hsm.so", "KEYWELL_HSM_PIN", "424242", "PATH", "/bin");

  private static Map<String, String> with(String name, String value) {
    Map<String, String> environment = new HashMap<>(LEAST);
    environment.put(name, value);
    return environment;
  }

  @Test
  void defaultsAreThoseOfTheService() {
    HsmSettings settings = HsmSettings.of(LEAST);

    assertThat(settings.config())
        .isEqualTo(
            new Pkcs11Config(
                Path.of("/lib/hsm.so"), "keywell", "keywell-wrapping", Optional.empty(), 64));
    assertThat(settings.bootstrap()).isFalse();
    assertThat(settings.token().credentials().maySetUpToken()).isFalse();
  }

  @Test
  void thePinIsInNoText() {
    HsmSettings settings = HsmSettings.of(LEAST);

    assertThat(settings.toString()).doesNotContain("424242");
    try (var pin = settings.token().credentials().userPin()) {
      assertThat(pin.characters()).isEqualTo("424242".toCharArray());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "KEYWELL_HSM_MODULE, '', keywell.hsm.module is not set",
    "KEYWELL_HSM_PIN, '', no PIN",
    "KEYWELL_HSM_MAXSESSIONS, 3, keywell.hsm.max-sessions is 3",
    "KEYWELL_HSM_MAXSESSIONS, 1001, keywell.hsm.max-sessions is 1001",
    "KEYWELL_HSM_MAXSESSIONS, many, keywell.hsm.max-sessions is 'many'",
    "KEYWELL_HSM_BOOTSTRAP, always, keywell.hsm.bootstrap is 'always'",
    "KEYWELL_HSM_TOKENLABEL, ' ', keywell.hsm.tokenLabel",
    "KEYWELL_HSM_PINFILE, /nonexistent/pin, /nonexistent/pin",
    "KEYWELL_HSM_SOPINFILE, /nonexistent/so-pin, /nonexistent/so-pin",
    "KEYWELL_HSM_PROFILE, luna-sa-1700, KEYWELL_HSM_PROFILE is for a service",
    "KEYWELL_HSM_TOKEN, keywell, unknown configuration in the environment: KEYWELL_HSM_TOKEN",
  })
  void aBadSettingIsRefusedByItsName(String name, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HsmSettings.of(with(name, value)))
        .withMessageContaining(message)
        .withMessageNotContaining("424242");
  }
}
