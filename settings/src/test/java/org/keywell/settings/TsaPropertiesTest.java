package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.ca.token.CaKeySpec;

final class TsaPropertiesTest {

  @Test
  void thereIsNoneByDefault() {
    TsaProperties tsa = KeywellPropertiesTest.bind().tsa();

    assertThat(tsa.enabled()).isFalse();
    assertThat(tsa.timeServers()).isEmpty();
    assertThat(tsa.promise().accuracy()).isEqualTo(Duration.ofSeconds(1));
    assertThat(tsa.subject().commonName()).isEqualTo("Keywell Time-Stamping Unit");
  }

  @Test
  void allOfItComesFromTheEnvironment() {
    TsaProperties tsa =
        KeywellPropertiesTest.bindEnvironment(
                Map.of(
                    "KEYWELL_TSA_ENABLED", "true",
                    "KEYWELL_TSA_KEYLABEL", "stamps",
                    "KEYWELL_TSA_KEY", "RSA-3072",
                    "KEYWELL_TSA_POLICY", "1.2.3",
                    "KEYWELL_TSA_ACCURACY", "250ms",
                    "KEYWELL_TSA_MAXOFFSET", "100ms",
                    "KEYWELL_TSA_TIMESERVERS", "127.0.0.1:1123, ntp.example, [::1]",
                    "KEYWELL_TSA_TIMESERVERSEVERY", "10s"))
            .tsa();

    assertThat(tsa.enabled()).isTrue();
    assertThat(tsa.keyLabel()).isEqualTo("stamps");
    assertThat(tsa.keySpec()).isEqualTo(CaKeySpec.RSA_3072);
    assertThat(tsa.promise().identifier()).isEqualTo("1.2.3");
    assertThat(tsa.promise().accuracy()).isEqualTo(Duration.ofMillis(250));
    assertThat(tsa.timeServers()).containsExactly("127.0.0.1:1123", "ntp.example", "[::1]");
    assertThat(tsa.timeServerAddresses())
        .containsExactly(
            InetSocketAddress.createUnresolved("127.0.0.1", 1123),
            InetSocketAddress.createUnresolved("ntp.example", 123),
            InetSocketAddress.createUnresolved("[::1]", 123));
    assertThat(tsa.timeServersEvery()).isEqualTo(Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @CsvSource({
    "keywell.tsa.key-label=a b, keywell.tsa.key-label",
    "keywell.tsa.key-label=keywell-issuing, keywell.ca.issuing.label",
    "keywell.tsa.key-label=keywell-root, keywell.ca.root.label",
    "keywell.tsa.key-label=keywell-log, keywell.log.key-label",
    "keywell.tsa.key=EC-P384, keywell.tsa.key",
    "keywell.tsa.key=RSA-2048, keywell.tsa.key",
    "keywell.tsa.policy=one, keywell.tsa.policy",
    "keywell.tsa.accuracy=2s, keywell.tsa.accuracy",
    "keywell.tsa.accuracy=400ms, keywell.tsa.max-offset",
    "keywell.tsa.max-offset=0s, keywell.tsa.max-offset",
    "keywell.tsa.time-servers=ntp://a, keywell.tsa.time-servers",
    "keywell.tsa.time-servers=ntp.example:70000, keywell.tsa.time-servers",
    "keywell.tsa.time-servers=ntp.example:0, keywell.tsa.time-servers",
    "keywell.tsa.time-servers-every=10ms, keywell.tsa.time-servers-every",
    "keywell.tsa.validity=1h, keywell.tsa.validity",
    "keywell.tsa.max-concurrent=0, keywell.tsa.max-concurrent"
  })
  void whatDoesNotFitIsNamed(String setting, String named) {
    assertThat(KeywellPropertiesTest.refusal("keywell.tsa.enabled=true", setting)).contains(named);
  }
}
