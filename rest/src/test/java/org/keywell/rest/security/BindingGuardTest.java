package org.keywell.rest.security;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.ca.FakeCertificateAuthority;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

final class BindingGuardTest {

  private static final char[] NO_PASSWORD = {};

  private final MockEnvironment environment = new MockEnvironment();
  private final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();

  private boolean logIsPublic;
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

  /** Those who read the log have none. */
  @ParameterizedTest
  @CsvSource({"server, want, true", "server, none, false", "management.server, want, false"})
  void whereTheLogIsPublicTheServiceMayMerelyAskForCertificates(
      String port, String clientAuthentication, boolean accepted) {
    logIsPublic = true;
    environment.setProperty("server.address", "127.0.0.1");
    environment.setProperty("management.server.port", "8421");
    environment.setProperty("management.server.address", "127.0.0.1");
    tls(port, clientAuthentication);
    if (accepted) {
      assertAccepted();
    } else {
      assertRefused(port + ".address");
    }
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

  /** Such as the server's own key store, named twice. */
  @Test
  void aTrustStoreOfKeysAloneIsRefused() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
    KeyStore store = trusting(null);
    store.setKeyEntry("server", pair.getPrivate(), NO_PASSWORD, new Certificate[] {authority()});
    tls("server", "need");
    environment.setProperty("server.ssl.bundle", "keys");
    environment.setProperty("spring.ssl.bundle.jks.keys.truststore.location", "keys.p12");
    bundles.registerBundle("keys", SslBundle.of(SslStoreBundle.of(store, null, store)));

    assertRefused("spring.ssl.bundle.jks.keys.truststore.location");
  }

  /** A client asks for a host name by itself: its bundle is a second way in. */
  @Test
  void aBundleForOneHostNameWithoutATrustStoreIsRefused() throws Exception {
    tls("server", "need");
    environment.setProperty("server.ssl.server-name-bundles[0].server-name", "open.example");
    environment.setProperty("server.ssl.server-name-bundles[0].bundle", "open");
    bundles.registerBundle("open", SslBundle.of(SslStoreBundle.of(null, null, null)));
    assertRefused("spring.ssl.bundle.pem.open.truststore.certificate");

    environment.setProperty("spring.ssl.bundle.pem.open.truststore.certificate", "ca.pem");
    assertRefused("spring.ssl.bundle.pem.open.truststore.certificate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"need", "want"})
  void certificatesThatAreAskedForNeedATrustStoreOnLoopbackToo(String clientAuthentication) {
    tls("server", clientAuthentication);
    environment.setProperty("server.address", "127.0.0.1");
    assertAccepted();

    environment.setProperty("spring.ssl.bundle.pem.keywell.truststore.certificate", "");
    assertRefused("spring.ssl.bundle.pem.keywell.truststore.certificate");
  }

  /** As a deployment sets them; what is blank there hides what a file has. */
  @Test
  void variablesOfTheEnvironmentCountLikeProperties() {
    tls("server", "need");
    variables(Map.of("SERVER_SSL_CLIENTAUTH", "want"));
    assertRefused("server.ssl.client-auth=need");

    variables(Map.of("SERVER_SSL_BUNDLE", ""));
    assertRefused("server.ssl.bundle");

    variables(Map.of("SPRING_SSL_BUNDLE_PEM_KEYWELL_TRUSTSTORE_CERTIFICATE", " "));
    assertRefused("spring.ssl.bundle.pem.keywell.truststore.certificate");

    variables(Map.of("SERVER_SSL_CLIENTAUTH", "NEED"));
    assertAccepted();
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

  private void variables(Map<String, Object> variables) {
    String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    environment.getPropertySources().addFirst(new SystemEnvironmentPropertySource(name, variables));
    ConfigurationPropertySources.attach(environment);
  }

  private void tls(String prefix, String clientAuthentication) {
    environment.setProperty(prefix + ".address", "0.0.0.0");
    environment.setProperty(prefix + ".ssl.bundle", "keywell");
    environment.setProperty("spring.ssl.bundle.pem.keywell.truststore.certificate", "ca.pem");
    environment.setProperty(prefix + ".ssl.client-auth", clientAuthentication);
  }

  private void assertAccepted() {
    assertThatCode(() -> new BindingGuard(environment, bundles, logIsPublic).check())
        .doesNotThrowAnyException();
  }

  private void assertRefused(String naming) {
    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> new BindingGuard(environment, bundles, logIsPublic).check())
        .withMessageContaining(naming);
  }

  @ParameterizedTest
  @CsvSource({"0.0.0.0, 127.0.0.1, server", "127.0.0.1, 192.0.2.1, management.server"})
  void whatIsForThisMachineOnlyNeedsBothPortsOnLoopback(
      String service, String management, String refused) {
    environment.setProperty("server.address", service);
    environment.setProperty("management.server.address", management);
    BindingGuard guard = new BindingGuard(environment, bundles, false);

    assertThatExceptionOfType(StartRefusedException.class)
        .isThrownBy(() -> guard.requireLoopback("keywell.trial-files"))
        .withMessageContainingAll("keywell.trial-files", refused + ".address");

    environment.setProperty("server.address", "127.0.0.1");
    environment.setProperty("management.server.address", "::1");
    assertThatCode(() -> guard.requireLoopback("keywell.trial-files")).doesNotThrowAnyException();
  }
}
