package org.keywell.kmip.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.kmip.table.Tag;
import org.keywell.testkit.TlsAuthority;

/** Who is answered, and until when. */
@Timeout(60)
final class KmipServerTest {

  @TempDir static Path files;
  private static TlsAuthority authority;

  private TestServer server;

  @BeforeAll
  static void certify() throws Exception {
    authority = TestServer.authority(files);
  }

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start(authority);
  }

  @AfterEach
  void stop() {
    server.close();
    assertThat(server.unexpected).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void requestsOfAConnectionAreAnsweredInTurn(String version) throws IOException {
    try (KmipClient client = server.client(version)) {
      assertThat(client.socket.getSession().getProtocol()).isEqualTo(version);
      assertThat(client.ask("Query", Tag.named("QueryFunction").item("QueryOperations")))
          .contains("ResultStatus=Success", "Operation=Query", "Operation=DiscoverVersions");
      byte[] two = KmipClient.message("Get");
      client.send(two);
      client.send(two);
      assertThat(client.receive()).contains("UniqueIdentifier=client");
      assertThat(client.receive()).contains("UniqueIdentifier=client");
    }
  }

  @Test
  void earlierVersionsOfTlsAreRefused() {
    assertThatThrownBy(() -> server.client("TLSv1.1").ask("Get")).isInstanceOf(IOException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void keysAreExchangedOverTheNamedGroups(String version) throws Exception {
    shakeHands(version, "secp256r1");

    assertThatThrownBy(() -> shakeHands(version, "ffdhe2048", "secp384r1"))
        .isInstanceOf(IOException.class);
  }

  private void shakeHands(String version, String... groups) throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            authority
                .context("client")
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), server.server.port())) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setProtocols(new String[] {version});
      parameters.setNamedGroups(groups);
      socket.setSSLParameters(parameters);
      socket.startHandshake();
    }
  }

  /** It would cost this side the most, as often as the client likes. */
  @Test
  void aConnectionHasOneFullHandshake() throws Exception {
    try (KmipClient client = server.client("TLSv1.2")) {
      assertThat(client.ask("Get")).contains("ResultStatus=Success");
      client.socket.getSession().invalidate();

      assertThatThrownBy(
              () -> {
                client.socket.startHandshake();
                client.ask("Get");
              })
          .isInstanceOf(IOException.class);
    }
  }

  /** With TLS 1.3 a client learns of it when it reads. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void clientsWithoutACertificateAreRefused(String version) {
    SSLContext nobody = authority.context(null);

    assertThatThrownBy(() -> new KmipClient(nobody, server.server.port(), version).ask("Get"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void clientsOfAnotherAuthorityAreRefused(@TempDir Path others) throws Exception {
    TlsAuthority other = TestServer.authority(others);

    assertThatThrownBy(
            () -> new KmipClient(other.context("client"), server.server.port()).ask("Get"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aClientThatIsNobodyIsToldSoAndItsConnectionEnds() throws IOException {
    server.callers.clear();
    try (KmipClient client = server.client()) {
      assertThat(client.ask("Get"))
          .contains("ProtocolVersionMajor=1, ProtocolVersionMinor=4")
          .contains("ResultReason=AuthenticationNotSuccessful")
          .contains("ResultMessage=the certificate is not accepted")
          .doesNotContain("nobody");
      assertThat(client.ended()).isTrue();
    }
  }

  @Test
  void aCallerThatIsRemovedIsRefusedAtItsNextRequest() throws IOException {
    try (KmipClient client = server.client()) {
      assertThat(client.ask("Get")).contains("ResultStatus=Success");
      server.callers.clear();
      assertThat(client.ask("Get")).contains("ResultReason=AuthenticationNotSuccessful");
      assertThat(client.ended()).isTrue();
    }
  }

  /** Its certificate comes from the session then. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void aCallerIsKnownInAResumedSession(String version) throws IOException {
    SSLContext context = authority.context("client");
    long created = 0;
    for (int i = 0; i < 2; i++) {
      try (KmipClient client = new KmipClient(context, server.server.port(), version)) {
        assertThat(client.ask("Get")).contains("UniqueIdentifier=client");
        long now = client.socket.getSession().getCreationTime();
        assertThat(i == 0 || now == created).as("resumed").isTrue();
        created = now;
      }
    }
  }

  @Test
  void renewedCertificatesAreShownToNewConnections() throws Exception {
    authority.certify("renewed", "subjectAltName=IP:127.0.0.1");
    try (KmipClient before = server.client()) {
      server.tls.set(authority.context("renewed"));
      try (KmipClient after = server.client()) {
        X509Certificate shown =
            (X509Certificate) after.socket.getSession().getPeerCertificates()[0];
        assertThat(shown.getSubjectX500Principal().getName()).isEqualTo("CN=renewed");
        assertThat(after.ask("Get")).contains("ResultStatus=Success");
      }
      assertThat(before.ask("Get")).contains("ResultStatus=Success");
    }
  }

  @Test
  void aStopLetsARequestFinishAndEndsWhatIsIdle() throws Exception {
    try (KmipClient busy = server.client();
        KmipClient idle = server.client()) {
      assertThat(idle.ask("Get")).contains("ResultStatus=Success");
      busy.send(KmipClient.message("Locate"));
      server.begun.await();
      Thread stop = Thread.ofVirtual().start(() -> server.server.close(Duration.ofSeconds(30)));
      assertThat(idle.ended()).isTrue();
      assertThat(stop.isAlive()).as("waits for the request").isTrue();
      server.letGo.countDown();
      assertThat(busy.receive()).contains("ResultStatus=Success");
      assertThat(busy.ended()).isTrue();
      stop.join();
      assertThatThrownBy(() -> server.client().close()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aStopDoesNotWaitForARequestForEver() throws Exception {
    try (KmipClient client = server.client()) {
      client.send(KmipClient.message("Locate"));
      server.begun.await();
      server.server.close(Duration.ofMillis(50));
      assertThat(client.ended()).isTrue();
    }
  }

  @Test
  void aTakenPortIsReported() throws IOException {
    KmipServerConfig taken =
        new KmipServerConfig(
            InetAddress.getLoopbackAddress(),
            server.server.port(),
            1,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            1024,
            List.of(),
            List.of(),
            List.of());
    KmipServer<String> second =
        new KmipServer<>(
            taken,
            () -> authority.context("server"),
            TestServer.NO_TURNS,
            chain -> "",
            server.processor(Map.of()));

    assertThatThrownBy(second::start).isInstanceOf(IOException.class);
  }
}
