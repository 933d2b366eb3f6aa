package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServerKeyPropertiesTest {

  private static final String LABEL = "keywell.server-key.label=server";
  private static final String BUNDLES = "keywell.server-key.bundles=web";

  @Test
  void keysAreInFilesByDefault() {
    ServerKeyProperties key = KeywellPropertiesTest.bind().serverKey();

    assertThat(key.label()).isNull();
    assertThat(key.bundles()).isEmpty();
  }

  @Test
  void allOfItComesFromTheEnvironment() {
    ServerKeyProperties key =
        KeywellPropertiesTest.bindEnvironment(
                Map.of(
                    "KEYWELL_SERVERKEY_LABEL", "server",
                    "KEYWELL_SERVERKEY_DEVICE", "",
                    "KEYWELL_SERVERKEY_BUNDLES", "web, kmip"))
            .serverKey();

    assertThat(key.label()).isEqualTo("server");
    assertThat(key.device()).isNull();
    assertThat(key.bundles()).containsExactlyInAnyOrder("web", "kmip");
  }

  @ParameterizedTest
  @CsvSource({
    "keywell.server-key.label=a b, keywell.server-key.label",
    "keywell.server-key.label=keywell-issuing, keywell.ca.issuing.label",
    "keywell.server-key.label=keywell-root, keywell.ca.root.label",
    "keywell.server-key.label=keywell-log, keywell.log.key-label",
    "keywell.server-key.device=east, keywell.server-key.device is 'east'"
  })
  void whatDoesNotFitIsNamed(String setting, String named) {
    assertThat(KeywellPropertiesTest.refusal(LABEL, BUNDLES, setting)).contains(named);
  }

  @Test
  void halfOfItHasNoEffectAndIsRefused() {
    assertThat(KeywellPropertiesTest.refusal(LABEL)).contains("keywell.server-key.bundles");
    assertThat(KeywellPropertiesTest.refusal(BUNDLES))
        .contains("keywell.server-key.bundles has no effect without keywell.server-key.label");
    assertThat(KeywellPropertiesTest.refusal("keywell.server-key.device=east"))
        .contains("keywell.server-key.device has no effect");
  }
}
