package org.keywell.rest.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.settings.HttpProperties;
import org.keywell.testkit.TlsAuthority;

/** Over TLS, handshakes take turns, and nothing else does. */
@Timeout(60)
final class HandshakeTurnsTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final int A_MOMENT_MILLIS = 500;
  private static final String GET = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
  private static final String WAIT = "GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @TempDir Path directory;

  private final Handshakes handshakes = new Handshakes(1);
  private final Tomcat tomcat = new Tomcat();
  private final CountDownLatch go = new CountDownLatch(1);
  private final List<SSLSocket> sockets = new ArrayList<>();
  private TlsAuthority authority;

  @BeforeEach
  void start() throws Exception {
    authority = TlsAuthority.create(directory, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1,DNS:localhost");
    BoundedHttpProtocol protocol = new BoundedHttpProtocol();
    protocol.setPort(0);
    protocol.setAddress(InetAddress.getLoopbackAddress());
    protocol.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    protocol.setSSLEnabled(true);
    protocol.addSslHostConfig(certificates(), false);
    protocol.bound(
        new HttpProperties(100, LONG, LONG, LONG, Duration.ZERO),
        handshakes,
        (method, path) -> null);
    tomcat.setBaseDir(directory.toString());
    tomcat.setConnector(new Connector(protocol));
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "servlet", new Waiting());
    context.addServletMapping("/", "servlet");
    tomcat.start();
  }

  private SSLHostConfig certificates() {
    SSLHostConfig config = new SSLHostConfig();
    SSLHostConfigCertificate certificate =
        new SSLHostConfigCertificate(config, SSLHostConfigCertificate.Type.UNDEFINED);
    certificate.setCertificateFile(directory.resolve("server.pem").toString());
    certificate.setCertificateKeyFile(directory.resolve("server.key").toString());
    config.addCertificate(certificate);
    return config;
  }

  @AfterEach
  void stop() throws Exception {
    go.countDown();
    for (SSLSocket socket : sockets) {
      socket.close();
    }
    tomcat.stop();
    tomcat.destroy();
  }

  @Test
  void aHandshakeWaitsForItsTurnAndARequestDoesNot() throws Exception {
    SSLSocket authenticated = connect();
    authenticated.startHandshake();
    assertThat(answer(authenticated, GET)).startsWith("HTTP/1.1 200");
    SSLSocket late = connect();
    try (Handshakes.Turn _ = handshakes.turn(InetAddress.getByName("10.0.0.1"), LONG)) {
      late.setSoTimeout(A_MOMENT_MILLIS);
      assertThatThrownBy(late::startHandshake).isInstanceOf(SocketTimeoutException.class);

      assertThat(answer(authenticated, GET)).startsWith("HTTP/1.1 200");
    }
    SSLSocket next = connect();
    next.startHandshake();
    assertThat(answer(next, GET)).startsWith("HTTP/1.1 200");
  }

  /** Often the first request arrives with the end of the handshake. */
  @Test
  void aRequestThatIsProcessedHoldsNoTurn() throws Exception {
    List<SSLSocket> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      SSLSocket socket = connect();
      socket.startHandshake();
      send(socket, WAIT);
      all.add(socket);
    }
    go.countDown();
    for (SSLSocket socket : all) {
      assertThat(read(socket)).startsWith("HTTP/1.1 200");
    }
  }

  /** One that fails gives its turn back as well. */
  @Test
  void aHandshakeThatFailsHoldsNoTurn() throws Exception {
    for (int i = 0; i < 5; i++) {
      SSLSocket broken = connect();
      broken.setEnabledProtocols(new String[] {"TLSv1.2"});
      assertThatThrownBy(broken::startHandshake).isInstanceOf(IOException.class);
    }
    SSLSocket good = connect();
    good.startHandshake();
    assertThat(answer(good, GET)).startsWith("HTTP/1.1 200");
    assertThat(handshakes.waiting()).isZero();
  }

  private SSLSocket connect() throws IOException {
    SSLSocket socket =
        (SSLSocket)
            authority
                .context(null)
                .getSocketFactory()
                .createSocket("localhost", tomcat.getConnector().getLocalPort());
    socket.setSoTimeout(20_000);
    sockets.add(socket);
    return socket;
  }

  private static String answer(SSLSocket socket, String request) throws IOException {
    send(socket, request);
    return read(socket);
  }

  private static void send(SSLSocket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(US_ASCII));
  }

  private static String read(SSLSocket socket) throws IOException {
    byte[] answer = new byte[1 << 10];
    int count = socket.getInputStream().read(answer);
    return count < 0 ? "" : new String(answer, 0, count, US_ASCII);
  }

  private final class Waiting extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      if (request.getRequestURI().equals("/wait")) {
        try {
          assertThat(go.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      response.getWriter().write("done");
    }
  }
}
