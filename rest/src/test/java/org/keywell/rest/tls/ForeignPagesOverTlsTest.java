package org.keywell.rest.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.KeptConnection;
import org.keywell.testkit.RawHttp;
import org.keywell.testkit.TlsAuthority;

/**
 * What a web page of somebody else's can make a browser send that has a caller's certificate; at
 * both ports. Where names are configured, TLS does not make others good.
 */
@Tag("process")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ForeignPagesOverTlsTest {

  private TlsAuthority authority;
  private EdgeServer server;

  @BeforeAll
  void start(@TempDir Path files) throws Exception {
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1,DNS:localhost");
    authority.certify("client", "extendedKeyUsage=clientAuth");
    server = TlsPorts.start(files, "--keywell.security.hosts=keywell.internal");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "200, Host: localhost:%d",
    "200, Host: keywell.internal:%d",
    "200, Host: localhost:%1$d|Origin: https://localhost:%1$d",
    "421, Host: evil.example:%d",
    "421, Host: evil.example:%d|X-Forwarded-Host: localhost",
    "403, Host: localhost:%1$d|Origin: https://evil.example",
    "403, Host: localhost:%1$d|Origin: http://localhost:%1$d",
    "403, Host: localhost:%1$d|Sec-Fetch-Site: cross-site",
  })
  void isDecidedByHostAndOrigin(int status, String fields) throws Exception {
    assertStatus(status, server.port(), "/echo", fields);
    assertStatus(status, server.managementPort(), "/actuator/health", fields);
  }

  private void assertStatus(int status, int port, String path, String fields) throws IOException {
    try (KeptConnection connection = new KeptConnection(authority.context("client"), port)) {
      RawHttp.Answer answer = connection.get(path, fields.formatted(port).replace("|", "\r\n"));

      assertThat(answer.status()).as(port + path + ": " + answer).isEqualTo(status);
    }
  }
}
