package org.keywell.rest.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.RawHttp;

/**
 * Who is nobody, and who asks for what there is not, is answered without a byte of the body: none
 * is sent here, and each answer has to come all the same.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
final class RefusedUnreadTest {

  private EdgeServer open;
  private EdgeServer closed;

  @BeforeAll
  void start(@TempDir Path directory) {
    open = EdgeServer.start();
    closed =
        EdgeServer.start("--keywell.security.local-token-file=" + directory.resolve("local.token"));
  }

  @AfterAll
  void stop() {
    open.close();
    closed.close();
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /echo, 401, unauthenticated",
    "PUT, /nowhere, 401, unauthenticated",
    "POST, /nowhere, 404, not-found",
    "PUT, /sign, 405, method-not-allowed",
    "PATCH, /sign, 405, method-not-allowed",
    "DELETE, /ca/chain, 405, method-not-allowed",
    "POST, //sign, 400, bad-http-request",
    "POST, /sign;a=b, 400, bad-http-request",
    "POST, /%2fsign, 400, bad-http-request",
  })
  void theAnswerComesBeforeTheBody(String method, String path, int status, String problem)
      throws Exception {
    int port = status == 401 ? closed.port() : open.port();
    for (String body : new String[] {"Content-Length: 1000000000", "Transfer-Encoding: chunked"}) {
      RawHttp.Answer answer =
          send(
              port,
              "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n\r\n"
                  .formatted(method, path, body));

      assertThat(answer.status()).as(body + ": " + answer).isEqualTo(status);
      assertThat(answer.body()).contains("urn:keywell:problem:" + problem);
      assertThat(answer.header("Allow").isEmpty()).isEqualTo(status != 405);
    }
  }

  /** Sends a head, and reads no further than the answer is long. */
  private static RawHttp.Answer send(int port, String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(5_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.read());
      }
      RawHttp.Answer answer = new RawHttp.Answer(head.toString().strip(), "");
      byte[] body = in.readNBytes(Integer.parseInt(answer.header("Content-Length")));
      return new RawHttp.Answer(answer.head(), new String(body, StandardCharsets.UTF_8));
    }
  }
}
