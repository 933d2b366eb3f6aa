package org.keywell.rest.problem;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.Await;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Callers who hang up are counted as that: no defect, and not a line in the log. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HangUpsTest {

  private static final String HALF_A_BODY =
      "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
          + "Content-Length: 100\r\n\r\n{\"text\":";

  /** More than the system keeps for a caller, so that it is still being sent. */
  private static final String LARGE =
      "GET /swagger-ui/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n";

  /** The same, by a controller. */
  private static final String LARGE_OF_A_CONTROLLER =
      "GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private EdgeServer server;

  @BeforeAll
  void start() {
    server = EdgeServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withinABody(boolean reset, CapturedOutput log) throws Exception {
    assertCountedOnce(HALF_A_BODY, 0, reset, log);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withinAnAnswer(boolean reset, CapturedOutput log) throws Exception {
    assertCountedOnce(LARGE, 1_000, reset, log);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void withinAnAnswerOfAController(boolean reset, CapturedOutput log) throws Exception {
    assertCountedOnce(LARGE_OF_A_CONTROLLER, 1_000, reset, log);
  }

  private void assertCountedOnce(String sent, int read, boolean reset, CapturedOutput log)
      throws Exception {
    int before = server.answers().hangUps();
    hangUp(sent, read, reset);

    Await.until("it is noticed", () -> server.answers().hangUps() > before);
    assertThat(server.answers().hangUps()).isEqualTo(before + 1);
    assertThat(server.answers().problems()).doesNotContain(ProblemType.INTERNAL);
    assertThat(log.getAll()).doesNotContain("Exception", "ERROR");
  }

  /** With an RST, or with a FIN where nothing unread is left. */
  private void hangUp(String sent, int read, boolean reset) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoLinger(reset, 0);
      socket.getOutputStream().write(sent.getBytes(US_ASCII));
      assertThat(socket.getInputStream().readNBytes(read)).hasSize(read);
    }
  }
}
