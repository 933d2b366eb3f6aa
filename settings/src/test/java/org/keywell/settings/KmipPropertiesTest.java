package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.keypool.hsm.KeySpec;

final class KmipPropertiesTest {

  private static final String ENABLED = "keywell.kmip.enabled=true";
  private static final String BUNDLE = "keywell.kmip.bundle=service";
  private static final String CALLERS = "keywell.security.callers-file=callers.yaml";

  @Test
  void nobodyListensByDefault() {
    KmipProperties kmip = KeywellPropertiesTest.bind().kmip();

    assertThat(kmip.enabled()).isFalse();
    assertThat(kmip.address().isLoopbackAddress()).isTrue();
    assertThat(kmip.port()).isEqualTo(5696);
    assertThat(kmip.maxStored()).containsExactly(Map.entry(KeySpec.RSA_2048, 1000));
    assertThat(kmip.privateKeysLeave()).isFalse();
    assertThat(kmip.clearKeysLeave()).isTrue();
  }

  @Test
  void allOfItComesFromTheEnvironment() {
    KmipProperties kmip =
        KeywellPropertiesTest.bindEnvironment(
                Map.of(
                    "KEYWELL_KMIP_ENABLED", "true",
                    "KEYWELL_KMIP_BUNDLE", "service",
                    "KEYWELL_KMIP_ADDRESS", "0.0.0.0",
                    "KEYWELL_KMIP_IDLETIMEOUT", "1m",
                    "KEYWELL_KMIP_POOL_ECP256_MAXSTORED", "7"),
                CALLERS)
            .kmip();

    assertThat(kmip.enabled()).isTrue();
    assertThat(kmip.address().isAnyLocalAddress()).isTrue();
    assertThat(kmip.idleTimeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(kmip.maxStored()).containsExactly(Map.entry(KeySpec.EC_P256, 7));
  }

  @Test
  void aListenerNeedsACertificateAndCallers() {
    assertThat(KeywellPropertiesTest.refusal(ENABLED, CALLERS)).contains("keywell.kmip.bundle");
    assertThat(KeywellPropertiesTest.refusal(ENABLED, BUNDLE))
        .contains("keywell.security.callers-file");
    assertThat(KeywellPropertiesTest.refusal(ENABLED, CALLERS, "keywell.kmip.bundle= "))
        .contains("keywell.kmip.bundle");
  }

  @Test
  void managedKeysHaveAWrappingKeyOfTheirOwn() {
    String same = "keywell.kmip.wrapping-key-label=keywell-wrapping";

    assertThat(KeywellPropertiesTest.refusal(ENABLED, BUNDLE, CALLERS, same))
        .isEqualTo(
            "keywell.hsm.wrapping-key-label is also keywell.kmip.wrapping-key-label;"
                + " choose another");
  }

  @ParameterizedTest
  @CsvSource({
    "port, 65536",
    "max-connections, 0",
    "idle-timeout, 999ms",
    "message-timeout, 11m",
    "max-message, 17MB",
    "max-message, 1023B",
    "wrapping-key-label, ''",
    "pool.RSA-2048.max-stored, -1",
  })
  void eachLimitHasBounds(String setting, String value) {
    assertThat(KeywellPropertiesTest.refusal("keywell.kmip." + setting + "=" + value))
        .startsWith("keywell.kmip." + setting + " is ");
  }

  @Test
  void anUnknownKindIsNamed() {
    assertThat(KeywellPropertiesTest.refusal("keywell.kmip.pool.RSA-1024.max-stored=7"))
        .startsWith("keywell.kmip.pool has the unknown key spec 'RSA-1024'");
  }
}
