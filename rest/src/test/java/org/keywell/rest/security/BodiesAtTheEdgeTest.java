package org.keywell.rest.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.RawHttp;

/**
 * No request makes the service keep more of a body than the limit, wherever and however it comes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BodiesAtTheEdgeTest {

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String MULTIPART = "multipart/form-data; boundary=x";
  private static final int LIMIT = 32 * 1024;

  private EdgeServer server;

  @BeforeAll
  void start() {
    server = EdgeServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  record Case(boolean management, String method, String contentType, boolean chunked) {}

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (boolean management : new boolean[] {false, true}) {
      for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")) {
        for (String type : List.of(FORM, MULTIPART, "application/json", "text/plain")) {
          cases.add(new Case(management, method, type, false));
          cases.add(new Case(management, method, type, true));
        }
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aBodyOverTheLimitIsRefused(Case one) throws Exception {
    RawHttp.Answer answer = send(one, "a=" + "x".repeat(LIMIT));

    assertThat(answer.status()).as(answer.toString()).isEqualTo(413);
    assertThat(answer.body())
        .contains("urn:keywell:problem:body-too-large", "keywell.sign.max-body");
  }

  /** Spring's own treatment of these two reads the body before anything of the service's does. */
  @ParameterizedTest
  @ValueSource(strings = {FORM, MULTIPART, "multipart/form-data"})
  void formsAreNotParsed(String contentType) throws Exception {
    for (boolean management : new boolean[] {false, true}) {
      Case get = new Case(management, "GET", contentType, false);
      assertThat(send(get, "--x--").status()).as(contentType).isEqualTo(200);
    }
    assertThat(send(new Case(false, "POST", contentType, false), "--x--").status()).isEqualTo(415);
  }

  @Test
  void aBodyWithinTheLimitIsTaken() throws Exception {
    for (boolean chunked : new boolean[] {false, true}) {
      RawHttp.Answer answer =
          send(new Case(false, "POST", "application/json", chunked), "{\"text\":\"hello\"}");
      assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
      assertThat(answer.body()).contains("hello");
    }
  }

  private RawHttp.Answer send(Case one, String body) throws IOException {
    String head =
        "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: %s\r\n"
            .formatted(
                one.method(), one.management() ? "/actuator/health" : "/echo", one.contentType());
    String rest =
        one.chunked()
            ? "Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n"
                .formatted(body.length(), body)
            : "Content-Length: %d\r\n\r\n%s".formatted(body.length(), body);
    return RawHttp.send(one.management() ? server.managementPort() : server.port(), head + rest);
  }
}
