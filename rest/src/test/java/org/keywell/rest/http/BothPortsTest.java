package org.keywell.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.rest.EdgeServer;

/** The bounds hold at the service's port and at that of management. */
final class BothPortsTest {

  /** Less than Tomcat's own patience. */
  private static final int LIMIT_MILLIS = 10_000;

  @Test
  void aHeadThatIsNotFinishedEndsItsConnection() throws Exception {
    try (EdgeServer server = EdgeServer.start("--keywell.http.head-time=500ms")) {
      for (int port : new int[] {server.port(), server.managementPort()}) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
          socket.setSoTimeout(LIMIT_MILLIS);
          socket
              .getOutputStream()
              .write("GET / HTTP/1.1\r\nX-".getBytes(StandardCharsets.US_ASCII));
          assertThat(socket.getInputStream().read()).as("the end").isEqualTo(-1);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"max-connections", "max-keep-alive-requests", "max-http-response-header-size"})
  void aBoundOfTomcatsThatWouldNotHoldStopsTheStart(String bound) {
    assertThatThrownBy(() -> EdgeServer.start("--server.tomcat." + bound + "=9600").close())
        .hasStackTraceContaining("server.tomcat." + bound + " would have no effect");
  }
}
