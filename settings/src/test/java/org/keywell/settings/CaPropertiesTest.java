package org.keywell.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CaPropertiesTest {

  @Test
  void thereAreNoListsByDefault() {
    CaProperties.Crl crl = KeywellPropertiesTest.bind().ca().crl();

    assertThat(crl.base()).isEmpty();
    assertThat(crl.port()).isNull();
    assertThat(crl.address().isLoopbackAddress()).isTrue();
  }

  @Test
  void listsComeFromTheEnvironment() {
    CaProperties ca =
        KeywellPropertiesTest.bindEnvironment(
                Map.of(
                    "KEYWELL_CA_CRL_URI", "http://crl.example.org/ca/crl/",
                    "KEYWELL_CA_CRL_VALIDITY", "2d",
                    "KEYWELL_CA_CRL_FRESH", "5s",
                    "KEYWELL_CA_CRL_PORT", "8430",
                    "KEYWELL_CA_CRL_RATEPERSECOND", "7",
                    "KEYWELL_CA_PROFILE_CRLSBYDAY", "true"))
            .ca();

    URI base = URI.create("http://crl.example.org/ca/crl/");
    assertThat(ca.crl().base()).contains(base);
    assertThat(ca.settings().lists()).contains(base);
    assertThat(ca.crl().validity()).isEqualTo(Duration.ofDays(2));
    assertThat(ca.crl().fresh()).isEqualTo(Duration.ofSeconds(5));
    assertThat(ca.crl().port()).isEqualTo(8430);
    assertThat(ca.crl().ratePerSecond()).isEqualTo(7);
    assertThat(ca.standardProfile().crlsByDay()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "keywell.ca.crl.uri=http://crl.example.org/ca, keywell.ca.crl.uri",
    "keywell.ca.crl.uri=http://crl.example.org, keywell.ca.crl.uri",
    "keywell.ca.crl.uri=ldap://crl.example.org/, keywell.ca.crl.uri",
    "keywell.ca.crl.uri=http://crl.example.org/?list=/, keywell.ca.crl.uri",
    "keywell.ca.crl.uri=crl/, keywell.ca.crl.uri",
    "keywell.ca.crl.validity=59m, keywell.ca.crl.validity",
    "keywell.ca.crl.fresh=500ms, keywell.ca.crl.fresh",
    "keywell.ca.crl.rate-per-second=0, keywell.ca.crl.rate-per-second",
    "keywell.ca.crl.port=8430, keywell.ca.crl.uri",
  })
  void whatDoesNotFitIsNamed(String setting, String named) {
    assertThat(KeywellPropertiesTest.refusal(setting)).contains(named);
  }

  @ParameterizedTest
  @CsvSource({"0", "65536"})
  void aPortOutOfRangeIsNamed(String port) {
    assertThat(
            KeywellPropertiesTest.refusal(
                "keywell.ca.crl.uri=http://crl.example.org/", "keywell.ca.crl.port=" + port))
        .contains("keywell.ca.crl.port");
  }
}
