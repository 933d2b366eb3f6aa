package org.keywell.operations.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.apache.coyote.ProtocolHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.keywell.testkit.Await;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.GracefulShutdownResult;
import org.springframework.boot.web.server.Shutdown;

/** On a real web server, whose threads die as they do when memory runs out. */
final class ConnectorsHealthTest {

  private final ConnectorsHealth health = new ConnectorsHealth();
  private TomcatWebServer server;

  @BeforeEach
  void start() {
    TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
    factory.setShutdown(Shutdown.GRACEFUL);
    server = (TomcatWebServer) factory.getWebServer();
    server.start();
    health.watch(server);
  }

  @AfterEach
  void stop() {
    server.stop();
    server.destroy();
  }

  @Test
  void aServerThatServesIsUp() throws Exception {
    request();

    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
  }

  @Test
  void aDeadPollerIsDown() throws Exception {
    ProtocolHandler connector = server.getTomcat().getConnector().getProtocolHandler();
    connector.setExecutor(task -> {
      throw new OutOfMemoryError("in a test");
    });
    request();

    Await.until("down", () -> health.health().getStatus().equals(Status.DOWN));
    assertThat(health.health().getDetails().toString()).contains("-Poller").doesNotContain("-Acc");
  }

  @Test
  void aDeadAcceptorIsDown() throws Exception {
    // Tomcat ends the thread so, at a stop; here nobody stops.
    server.getTomcat().getConnector().getProtocolHandler().closeServerSocketGraceful();

    Await.until("down", () -> health.health().getStatus().equals(Status.DOWN));
    assertThat(health.health().getDetails().toString()).contains("-Acceptor");
  }

  /** Requests at hand are being finished: to end the process now would cut them off. */
  @Test
  void anOrderlyStopIsNotDown() throws Exception {
    Thread[] result = new Thread[1];
    server.shutDownGracefully(done -> {
      assertThat(done).isEqualTo(GracefulShutdownResult.IDLE);
      result[0] = Thread.currentThread();
    });
    Await.until("stopped", () -> result[0] != null);

    assertThat(health.health().getStatus()).isEqualTo(Status.UP);
  }

  @Test
  void beforeTheServerStartsNothingIsMissing() {
    assertThat(new ConnectorsHealth().health().getStatus()).isEqualTo(Status.UP);
  }

  private void request() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort())) {
      socket.setSoTimeout(200);
      socket
          .getOutputStream()
          .write(
              "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      int ignored = socket.getInputStream().read();
      assertThat(ignored).isBetween(-1, 255);
    } catch (java.net.SocketTimeoutException e) {
      // Nobody serves it any more.
    }
  }
}
