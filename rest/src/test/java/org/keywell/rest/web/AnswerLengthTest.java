package org.keywell.rest.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.RawHttp;

/** Answers say how long they are, so that a connection serves for the next request. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AnswerLengthTest {

  private EdgeServer server;

  @BeforeAll
  void start() {
    server = EdgeServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Below and above what Tomcat holds back by itself, 8 KiB. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3_000, 20_000})
  void anAnswerTellsItsLength(int letters) throws Exception {
    String text = "å".repeat(letters / 2) + "x";

    RawHttp.Answer answer =
        RawHttp.send(
            server.port(), post("1.1", "Connection: close", "{\"text\":\"" + text + "\"}"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).hasSize(Integer.parseInt(answer.header("Content-Length")));
    assertThat(utf8(answer.body())).isEqualTo("{\"text\":\"" + text + "\"}");
    assertThat(answer.header("Transfer-Encoding")).isEmpty();
    assertThat(answer.header("Server-Timing")).isEqualTo("echo");
  }

  /** RFC 9112, section 9.3: HTTP/1.0 has no chunks, so only a length lets the connection stay. */
  @Test
  void aConnectionOfHttp10IsKept() throws Exception {
    String kept = post("1.0", "Connection: keep-alive", "{\"text\":\"first\"}");
    String last = post("1.0", "Connection: close", "{\"text\":\"second\"}");

    RawHttp.Answer both = RawHttp.send(server.port(), kept + last);

    assertThat(both.header("Connection")).isEqualToIgnoringCase("keep-alive");
    assertThat(both.body()).contains("first", "second");
  }

  private static String post(String version, String field, String json) {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    return "POST /echo HTTP/"
        + version
        + "\r\nHost: localhost\r\n"
        + field
        + "\r\nContent-Type: application/json\r\nContent-Length: "
        + body.length
        + "\r\n\r\n"
        + new String(body, StandardCharsets.ISO_8859_1);
  }

  private static String utf8(String octets) {
    return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
