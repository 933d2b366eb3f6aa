package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ConfigurationDigestTest {

  private static String digest(String... settings) {
    return HexFormat.of().formatHex(ConfigurationDigest.of(KeywellPropertiesTest.bind(settings)));
  }

  @Test
  void eachSettingCounts() {
    assertThat(digest()).isEqualTo(digest());
    for (Map.Entry<String, String> setting :
        Map.of(
                "keywell.sign.queue-limit", "17",
                "keywell.hsm.call-limit", "7s",
                "keywell.hsm.devices[0].name", "east",
                "keywell.pool.specs.RSA-2048.max-stored", "17",
                "keywell.log.origin", "sign.example.org/log")
            .entrySet()) {
      assertThat(digest(setting.getKey() + "=" + setting.getValue()))
          .as(setting.getKey())
          .isNotEqualTo(digest());
    }
  }

  /** Who knows the rest could try all PINs against the digest. */
  @Test
  void secretsDoNot() {
    assertThat(digest("keywell.hsm.pin=1234", "keywell.database.password=secret"))
        .isEqualTo(digest("keywell.hsm.pin=5678", "keywell.database.password=another"));
  }
}
