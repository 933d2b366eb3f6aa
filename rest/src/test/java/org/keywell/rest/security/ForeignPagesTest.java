package org.keywell.rest.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.RawHttp;

/** What a web page of somebody else's can make a browser send here; at both ports. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ForeignPagesTest {

  private EdgeServer server;

  @BeforeAll
  void start() {
    // There, Spring Boot would believe X-Forwarded-Host.
    server =
        EdgeServer.start(
            "--spring.main.cloud-platform=kubernetes", "--keywell.security.hosts=keywell.internal");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "[::1]", "keywell.internal"})
  void theServicesOwnNamesAreAnswered(String host) throws Exception {
    assertStatus(200, "Host: %1$s:%2$d", host);
    assertStatus(200, "Host: %1$s:%2$d\r\nOrigin: http://%1$s:%2$d", host);
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "localhost.evil.example", "192.0.2.1"})
  void aReboundNameIsRefused(String host) throws Exception {
    assertStatus(421, "Host: %s:%d", host);
    assertStatus(421, "Host: %s:%d\r\nX-Forwarded-Host: localhost", host);
  }

  @Test
  void anotherOriginIsRefused() throws Exception {
    assertStatus(403, "Host: localhost:%2$d\r\nOrigin: http://%1$s", "evil.example");
    assertStatus(403, "Host: localhost:%2$d\r\nSec-Fetch-Site: %1$s", "cross-site");
  }

  @Test
  void aPreflightIsNotGranted() throws Exception {
    RawHttp.Answer answer =
        RawHttp.send(
            server.port(),
            "OPTIONS /echo HTTP/1.1\r\nHost: localhost:"
                + server.port()
                + "\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n"
                + "Connection: close\r\n\r\n");

    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.head()).doesNotContain("Access-Control-Allow");
  }

  private void assertStatus(int status, String headers, String name) throws IOException {
    assertStatus(status, server.port(), "/echo", headers, name);
    assertStatus(status, server.managementPort(), "/actuator/health", headers, name);
  }

  private static void assertStatus(int status, int port, String path, String headers, String name)
      throws IOException {
    RawHttp.Answer answer =
        RawHttp.send(
            port,
            "GET %s HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n"
                .formatted(path, headers.formatted(name, port)));

    assertThat(answer.status()).as(headers + ": " + answer).isEqualTo(status);
    if (status >= 400) {
      assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
    }
  }
}
