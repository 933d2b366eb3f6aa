package org.keywell.service.security;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.service.settings.StartRefusedException;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.mock.env.MockEnvironment;

final class BindingGuardTest {

  private final MockEnvironment environment = new MockEnvironment();
  private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

  @TempDir Path files;

  @BeforeEach
  void makeBundle() throws Exception {
    bundles.registerBundle("keywell", bundle(authority()));
  }

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
  void clientAuthenticationAgainstPublicAuthoritiesIsRefused() throws Exception {
    environment.setProperty("server.address", "0.0.0.0");
    environment.setProperty("server.ssl.client-auth", "need");
    environment.setProperty("server.ssl.bundle", "other");
    bundles.registerBundle("other", bundle(authority()));
    assertRefused("spring.ssl.bundle.pem.other.truststore.certificate");

    environment.setProperty("spring.ssl.bundle.jks.other.truststore.location", "trust.p12");
    assertAccepted();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "spring.ssl.bundle.pem.keywell.truststore.certificate",
        "spring.ssl.bundle.jks.keywell.truststore.location"
      })
  void aTrustStoreThatIsLeftBlankIsRefused(String setting) {
    tls("server", "need");
    environment.setProperty("spring.ssl.bundle.pem.keywell.truststore.certificate", "");
    environment.setProperty(setting, " ");

    assertRefused(setting);
  }

  @Test
  void aTrustStoreOfItsOwnThatIsLeftBlankIsRefused() {
    environment.setProperty("server.address", "0.0.0.0");
    environment.setProperty("server.ssl.client-auth", "need");
    environment.setProperty("server.ssl.key-store", "keys.p12");
    environment.setProperty("server.ssl.trust-store", "");

    assertRefused("server.ssl.trust-store");
  }

  @Test
  void tlsThatIsLeftBlankIsRefused() {
    tls("server", "need");
    environment.setProperty("server.ssl.bundle", "");

    assertRefused("server.ssl.bundle");
  }

  @Test
  void aTrustStoreWithoutACertificateIsRefused() throws Exception {
    environment.setProperty("server.address", "0.0.0.0");
    environment.setProperty("server.ssl.client-auth", "need");
    environment.setProperty("server.ssl.bundle", "empty");
    environment.setProperty("spring.ssl.bundle.jks.empty.truststore.location", "empty.p12");
    bundles.registerBundle("empty", bundle(null));

    assertRefused("spring.ssl.bundle.jks.empty.truststore.location");
  }

  @Test
  void aKeyStoreWithoutATrustStoreIsRefused() throws Exception {
    environment.setProperty("server.address", "0.0.0.0");
    environment.setProperty("server.ssl.client-auth", "need");
    environment.setProperty("server.ssl.key-store", "keys.p12");
    assertRefused("server.ssl.trust-store");

    Path store = files.resolve("trust.p12");
    try (OutputStream out = Files.newOutputStream(store)) {
      trusting(authority()).store(out, "changeit".toCharArray());
    }
    environment.setProperty("server.ssl.trust-store", store.toUri().toString());
    environment.setProperty("server.ssl.trust-store-password", "changeit");
    environment.setProperty("server.ssl.key-store", store.toUri().toString());
    environment.setProperty("server.ssl.key-store-password", "changeit");
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

  /** Then management is part of the service, and as guarded as that. */
  @Test
  void managementAtTheServicesOwnPortNeedsNoAddress() {
    environment.setProperty("server.address", "127.0.0.1");
    environment.setProperty("server.port", "8420");
    environment.setProperty("management.server.port", "8420");

    assertAccepted();
  }

  private static SslBundle bundle(@Nullable X509Certificate trusted) throws Exception {
    return SslBundle.of(SslStoreBundle.of(null, null, trusting(trusted)));
  }

  private static KeyStore trusting(@Nullable X509Certificate certificate) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    if (certificate != null) {
      store.setCertificateEntry("ca", certificate);
    }
    return store;
  }

  /** Any certificate; the guard looks whether there is one. */
  private static X509Certificate authority() {
    return new FakeCertificateAuthority().chain().getFirst();
  }

  private void tls(String prefix, String clientAuthentication) {
    environment.setProperty(prefix + ".address", "0.0.0.0");
    environment.setProperty(prefix + ".ssl.bundle", "keywell");
    environment.setProperty("spring.ssl.bundle.pem.keywell.truststore.certificate", "ca.pem");
    environment.setProperty(prefix + ".ssl.client-auth", clientAuthentication);
  }

  private void assertAccepted() {
    assertThatCode(() -> new BindingGuard(environment, bundles).check()).doesNotThrowAnyException();
  }

  private void assertRefused(String naming) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new BindingGuard(environment, bundles).check())
        .withMessageContaining(naming);
  }
}
