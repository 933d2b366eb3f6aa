package org.keywell.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.net.URI;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.testkit.RawPort;
import org.keywell.testkit.StubService;
import org.keywell.testkit.StubService.Answer;
import org.keywell.testkit.TestIdentity;

/** What a newcomer is told whose address or key is another's. */
@Timeout(60)
final class AdviceTest {

  @Test
  void whoTurnsToNobodyIsAskedForThePort() throws Exception {
    URI nobody;
    try (StubService service = StubService.start()) {
      nobody = service.uri();
    }
    assertThat(failure(nobody, null))
        .hasMessageContaining("is the service running, and are scheme, host and port right?");
  }

  @Test
  void httpsToAPortWithoutTlsIsToldAtOnce() throws Exception {
    try (RawPort port = RawPort.withoutTls();
        KeywellClient patient = KeywellClient.at(port.uri()).build()) {
      NoAnswerException e = catchThrowableOfType(NoAnswerException.class, () -> patient.act("any"));
      assertThat(e).hasMessageContaining("begins with http://");
      assertThat(e.tries()).as("another try comes to the same").isEqualTo(1);
    }
  }

  @Test
  void httpToAPortThatAnswersByAnAlertIsAskedForTheScheme() throws Exception {
    TestIdentity identity = TestIdentity.ec();
    try (StubService service = StubService.on(tlsServer(identity), "http")) {
      assertThat(failure(service.uri(), null)).hasMessageContaining("begin with https://");
    }
  }

  /** As Tomcat, nginx and Go's server answer. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bad Request\r\nThis combination of host and port requires TLS.\r\n",
        "<html><title>400 The plain HTTP request was sent to HTTPS port</title></html>",
        "Client sent an HTTP request to an HTTPS server.\n"
      })
  void httpToAPortThatSaysItExpectsTlsIsTold(String body) throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = new KeywellClient(service.uri())) {
      service.when("GET /pool", _ -> new Answer(400, "text/plain", body.getBytes(UTF_8)));

      assertThat(catchThrowableOfType(UnexpectedAnswerException.class, client::pool))
          .hasMessageContaining("expects it: begin the address with https://");
    }
  }

  @Test
  void anotherProgramsPortIsNamed() throws Exception {
    try (StubService service = StubService.start();
        KeywellClient client = new KeywellClient(service.uri())) {
      service.when("GET /pool", _ -> new Answer(404, "text/html", "<html>".getBytes(UTF_8)));

      assertThat(catchThrowableOfType(ServiceProblemException.class, client::pool))
          .hasMessageContaining("is this its address and its port?");
    }
  }

  /** By a context that no one has checked, as one of an application's key store. */
  @Test
  void aCertificateWithAnothersKeyIsNamed() throws Exception {
    TestIdentity server = TestIdentity.ec();
    TestIdentity another = TestIdentity.ec();
    KeyStore mixed = emptyStore();
    mixed.setKeyEntry(
        "client", another.key(), TestIdentity.PASSWORD, new Certificate[] {server.certificate()});
    try (RawPort port = RawPort.refusing(context(server.store(), server))) {
      assertThat(failure(port.uri(), context(mixed, server)))
          .hasMessageContaining("does the private key belong to the certificate");
    }
  }

  /** As a refusal looks if the connection is reset before its alert has been read. */
  @Test
  void aHandshakeThatEndsWithoutAnAlertIsNotLeftUnexplained() throws Exception {
    try (RawPort port = RawPort.endingTheHandshake()) {
      NoAnswerException failure = failure(port.uri(), null);
      assertThat(failure).hasMessageContaining("does it accept the client's certificate");
      assertThat(failure.tries()).isEqualTo(1);
    }
  }

  private static NoAnswerException failure(URI service, @Nullable SSLContext tls) {
    try (KeywellClient client = new KeywellClient(service, Duration.ofSeconds(10), tls)) {
      NoAnswerException e = catchThrowableOfType(NoAnswerException.class, client::pool);
      assertThat(e.advice()).isPresent();
      return e;
    }
  }

  private static HttpsServer tlsServer(TestIdentity identity) throws Exception {
    SSLContext context = context(identity.store(), identity);
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

  private static SSLContext context(KeyStore own, TestIdentity trusted) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, TestIdentity.PASSWORD);
    KeyStore anchors = emptyStore();
    anchors.setCertificateEntry("trusted", trusted.certificate());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(anchors);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static KeyStore emptyStore() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
