package org.keywell.rest.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.Await;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.TlsAuthority;

/** TLS sessions that callers resume, as OpenSSL does. */
@Tag("process")
final class ResumptionTest {

  private static final String SESSION = "session.pem";
  private static final String CLIENT = "extendedKeyUsage=clientAuth";
  private static final String BOTH_VERSIONS =
      "--spring.ssl.bundle.pem.edge.options.enabled-protocols=TLSv1.3,TLSv1.2";

  @TempDir Path files;

  private TlsAuthority authority;

  @BeforeEach
  void makeCertificates() throws Exception {
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("client", CLIENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-tls1_3", "-tls1_2"})
  void aCallerIsKnownByTheCertificateOfItsFirstHandshake(String version) throws Exception {
    try (EdgeServer server = TlsPorts.start(files, BOTH_VERSIONS)) {
      assertThat(open(server.port(), version))
          .contains("New, TLSv1", "HTTP/1.1 200")
          .containsPattern("lifetime hint: 3600 \\(seconds\\)");

      assertThat(resume(server.port(), version)).contains("Reused, TLSv1", "HTTP/1.1 200");
    }
  }

  @Test
  void aRevokedCallerCanResumeItsSessionAndIsRefused() throws Exception {
    Path crl = authority.list("ca.crl", Instant.now().plusSeconds(600));
    try (EdgeServer server =
        TlsPorts.start(files, "--keywell.security.revocation.crl-file=" + crl)) {
      assertThat(open(server.port())).contains("HTTP/1.1 200");

      authority.revoke("client");
      authority.list("ca.crl", Instant.now().plusSeconds(600));

      awaitRefusal(server, "certificate-revoked");
    }
  }

  @Test
  void aCallerThatWasRemovedCanResumeItsSessionAndIsRefused() throws Exception {
    try (EdgeServer server = TlsPorts.start(files)) {
      assertThat(open(server.port())).contains("HTTP/1.1 200");

      Path callers = files.resolve("callers.yaml");
      Path fresh = files.resolve("callers.fresh");
      Files.writeString(fresh, Files.readString(callers).replace("CN=client", "CN=nobody"));
      Files.move(fresh, callers, StandardCopyOption.ATOMIC_MOVE);

      awaitRefusal(server, "caller-unknown");
    }
  }

  /** Its key for sessions is its own; without sticky connections a caller meets another. */
  @Test
  void anotherInstanceAndAnotherPortMakeAFullHandshake() throws Exception {
    try (EdgeServer server = TlsPorts.start(files);
        EdgeServer other = TlsPorts.start(files)) {
      assertThat(open(server.port())).contains("HTTP/1.1 200");

      assertThat(resume(other.port())).contains("New, TLSv1.3", "HTTP/1.1 200");
      assertThat(resume(server.managementPort())).contains("New, TLSv1.3");
      assertThat(resume(server.port())).contains("Reused, TLSv1.3", "HTTP/1.1 200");
    }
  }

  private void awaitRefusal(EdgeServer server, String problem) throws Exception {
    Await.until(problem, () -> resume(server.port()).contains("urn:keywell:problem:" + problem));
    assertThat(resume(server.port())).contains("Reused, TLSv1.3", "HTTP/1.1 403");
  }

  /** Makes a connection whose session is kept. */
  private String open(int port, String... more) throws IOException {
    return get(port, "-sess_out", more);
  }

  private String resume(int port, String... more) throws IOException {
    return get(port, "-sess_in", more);
  }

  private String get(int port, String session, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("s_client", "-connect", "127.0.0.1:" + port, "-ign_eof"));
    command.addAll(List.of("-cert", "client.pem", "-key", "client.key", session, SESSION));
    command.addAll(List.of(more));
    return new OpenSsl(files)
        .say(
            "GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
            command.toArray(String[]::new));
  }
}
