package org.keywell.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.testkit.Answers;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.keywell.testkit.TestIdentity;

class PemTlsTest {
  private static final String PEM_OF_A_CERTIFICATE =
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

  @TempDir private Path dir;

  @Test
  void showsACertificateToAServiceThatAsksForOne() throws Exception {
    TestIdentity identity = TestIdentity.ec();
    Path certificate = Files.writeString(dir.resolve("cert.pem"), identity.certificatePem());
    Path key = Files.writeString(dir.resolve("key.pem"), identity.keyPem());

    try (StubService service = StubService.on(mutualTlsServer(identity), "https")) {
      service.when("GET /pool", _ -> Answer.json(Answers.POOL));

      assertThat(poolMode(service, PemTls.context(certificate, certificate, key)))
          .isEqualTo("pooled");
      assertThatExceptionOfType(IOException.class)
          .as("without a certificate of its own")
          .isThrownBy(() -> poolMode(service, PemTls.context(certificate, null, null)));
      assertThatExceptionOfType(IOException.class)
          .as("without trust in the service's")
          .isThrownBy(() -> poolMode(service, PemTls.context(null, certificate, key)));
    }
  }

  @Test
  void saysWhichFileHoldsNoKey() throws Exception {
    TestIdentity identity = TestIdentity.ec();
    Path certificate = Files.writeString(dir.resolve("cert.pem"), identity.certificatePem());

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> PemTls.context(certificate, certificate, certificate))
        .withMessageContaining("cert.pem holds no unencrypted PKCS #8 private key");
  }

  @ParameterizedTest
  @CsvSource({"ec, ec", "rsa, rsa", "ec, rsa"})
  void aKeyOfAnotherCertificateIsRefused(String one, String two) throws Exception {
    Path certificate = Files.writeString(dir.resolve("cert.pem"), identity(one).certificatePem());
    Path key = Files.writeString(dir.resolve("key.pem"), identity(two).keyPem());

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> PemTls.context(null, certificate, key))
        .withMessageContaining("key.pem does not belong to the certificate in")
        .withMessageContaining("cert.pem");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "not PEM", PEM_OF_A_CERTIFICATE})
  void aFileWithoutUsableCertificatesIsNamed(String text) throws Exception {
    TestIdentity identity = TestIdentity.ec();
    Path certificate = Files.writeString(dir.resolve("cert.pem"), identity.certificatePem());
    Path key = Files.writeString(dir.resolve("key.pem"), identity.keyPem());
    Path bad = Files.writeString(dir.resolve("bad.pem"), text);

    assertThatExceptionOfType(IOException.class)
        .as("to trust")
        .isThrownBy(() -> PemTls.context(bad, certificate, key))
        .withMessageContaining("bad.pem holds");
    assertThatExceptionOfType(IOException.class)
        .as("to present")
        .isThrownBy(() -> PemTls.context(certificate, bad, key))
        .withMessageContaining("bad.pem holds");
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "AAAA"})
  void aFileWithAMalformedKeyIsNamed(String base64) throws Exception {
    Path certificate =
        Files.writeString(dir.resolve("cert.pem"), TestIdentity.ec().certificatePem());
    Path key =
        Files.writeString(
            dir.resolve("key.pem"),
            "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n");

    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> PemTls.context(certificate, certificate, key))
        .withMessageContaining("key.pem holds a malformed key");
  }

  @Test
  void certificateAndKeyGoTogether() throws Exception {
    TestIdentity identity = TestIdentity.ec();
    Path certificate = Files.writeString(dir.resolve("cert.pem"), identity.certificatePem());
    Path key = Files.writeString(dir.resolve("key.pem"), identity.keyPem());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> PemTls.context(certificate, certificate, null));
    assertThatIllegalArgumentException().isThrownBy(() -> PemTls.context(certificate, null, key));
  }

  private static TestIdentity identity(String algorithm) throws Exception {
    return algorithm.equals("ec") ? TestIdentity.ec() : TestIdentity.rsa();
  }

  private static String poolMode(StubService service, SSLContext tls) throws Exception {
    try (KeywellClient client = new KeywellClient(service.uri(), Duration.ofSeconds(10), tls)) {
      return client.pool().mode();
    }
  }

  private static HttpsServer mutualTlsServer(TestIdentity identity) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(identity.store(), TestIdentity.PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("client", identity.certificate());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);

    HttpsServer server = HttpsServer.create(StubService.anyPort(), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters ssl = context.getDefaultSSLParameters();
            ssl.setNeedClientAuth(true);
            parameters.setSSLParameters(ssl);
          }
        });
    return server;
  }
}
