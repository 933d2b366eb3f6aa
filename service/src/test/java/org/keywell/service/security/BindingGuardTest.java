package org.keywell.service.security;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.service.StartRefusedException;
import org.springframework.mock.env.MockEnvironment;

final class BindingGuardTest {

  private final MockEnvironment environment = new MockEnvironment();

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost", "::ffff:127.0.0.1"})
  void loopbackIsAccepted(String address) {
    environment.setProperty("server.address", address);

    assertAccepted();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "2001:db8::1", "", " "})
  void anAddressBeyondThisMachineIsRefused(String address) {
    environment.setProperty("server.address", address);

    assertRefused("server.address");
  }

  @Test
  void noAddressMeansEveryAddressAndIsRefused() {
    assertRefused("server.address");
  }

  @Test
  void aNameThatIsNotAnAddressIsRefused() {
    environment.setProperty("server.address", "not an address");

    assertRefused("'not an address' is not an address");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "want", ""})
  void tlsThatDoesNotAskForTheClientIsRefused(String clientAuthentication) {
    tls("server", clientAuthentication);

    assertRefused("server.ssl.client-auth=need");
  }

  @Test
  void tlsWithClientAuthenticationIsAccepted() {
    tls("server", "need");

    assertAccepted();
  }

  @Test
  void clientAuthenticationAgainstPublicAuthoritiesIsRefused() {
    environment.setProperty("server.address", "0.0.0.0");
    environment.setProperty("server.ssl.client-auth", "need");
    environment.setProperty("server.ssl.bundle", "other");
    assertRefused("spring.ssl.bundle.pem.other.truststore.certificate");

    environment.setProperty("spring.ssl.bundle.jks.other.truststore.location", "trust.p12");
    assertAccepted();
  }

  @Test
  void aKeyStoreWithoutATrustStoreIsRefused() {
    environment.setProperty("server.address", "0.0.0.0");
    environment.setProperty("server.ssl.client-auth", "need");
    environment.setProperty("server.ssl.key-store", "keys.p12");
    assertRefused("server.ssl.trust-store");

    environment.setProperty("server.ssl.trust-store", "trust.p12");
    assertAccepted();
  }

  @Test
  void clientAuthenticationWithoutTlsIsRefused() {
    environment.setProperty("server.address", "0.0.0.0");
    environment.setProperty("server.ssl.client-auth", "need");

    assertRefused("server.ssl.bundle");
  }

  @Test
  void tlsThatIsSwitchedOffIsRefused() {
    tls("server", "need");
    environment.setProperty("server.ssl.enabled", "false");

    assertRefused("server.ssl.bundle");
  }

  @Test
  void managementWithAPortOfItsOwnIsGuardedToo() {
    environment.setProperty("server.address", "127.0.0.1");
    environment.setProperty("management.server.port", "9090");
    assertRefused("management.server.address");

    environment.setProperty("management.server.address", "::1");
    assertAccepted();

    tls("management.server", "want");
    assertRefused("management.server.ssl.client-auth=need");

    tls("management.server", "need");
    assertAccepted();
  }

  private void tls(String prefix, String clientAuthentication) {
    environment.setProperty(prefix + ".address", "0.0.0.0");
    environment.setProperty(prefix + ".ssl.bundle", "keywell");
    environment.setProperty("spring.ssl.bundle.pem.keywell.truststore.certificate", "ca.pem");
    environment.setProperty(prefix + ".ssl.client-auth", clientAuthentication);
  }

  private void assertAccepted() {
    assertThatCode(() -> new BindingGuard(environment).check()).doesNotThrowAnyException();
  }

  private void assertRefused(String naming) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new BindingGuard(environment).check())
        .withMessageContaining(naming);
  }
}
