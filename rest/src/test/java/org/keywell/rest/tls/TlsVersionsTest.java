package org.keywell.rest.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.KeptConnection;
import org.keywell.testkit.OpenSsl;
import org.keywell.testkit.TlsAuthority;

/** TLS 1.3, or 1.2 where a setting asks for it; nothing older, at either port. */
@Tag("process")
final class TlsVersionsTest {

  private static final String OPTIONS = "--spring.ssl.bundle.pem.edge.options.";

  @TempDir Path files;

  private TlsAuthority authority;

  @BeforeEach
  void makeCertificates() throws Exception {
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("client", "extendedKeyUsage=clientAuth");
  }

  @Test
  void byDefaultItIs13Alone() throws Exception {
    try (EdgeServer server = TlsPorts.start(files)) {
      for (int port : new int[] {server.port(), server.managementPort()}) {
        assertThat(version(port, "TLSv1.3", "TLSv1.2")).isEqualTo("TLSv1.3");
        assertThatThrownBy(() -> version(port, "TLSv1.2")).isInstanceOf(SSLException.class);
        assertThat(handshake(port, "-tls1_2")).contains("alert protocol version");
      }
    }
  }

  @Test
  void a12ThatIsAskedForIsSpokenToo() throws Exception {
    try (EdgeServer server = TlsPorts.start(files, OPTIONS + "enabled-protocols=TLSv1.3,TLSv1.2")) {
      for (int port : new int[] {server.port(), server.managementPort()}) {
        assertThat(version(port, "TLSv1.3", "TLSv1.2")).isEqualTo("TLSv1.3");
        assertThat(version(port, "TLSv1.2")).isEqualTo("TLSv1.2");
        assertThat(handshake(port, "-tls1_1")).contains("alert protocol version");
        assertThat(handshake(port, "-tls1")).contains("alert protocol version");
        assertThat(handshake(port, "-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-SHA256"))
            .as("a suite without authenticated encryption")
            .contains("alert handshake failure");
      }
    }
  }

  @Test
  void keysAreExchangedOverFewGroups() throws Exception {
    try (EdgeServer server = TlsPorts.start(files)) {
      for (int port : new int[] {server.port(), server.managementPort()}) {
        for (String allowed : List.of("X25519", "P-256", "P-384")) {
          assertThat(handshake(port, "-groups", allowed)).as(allowed).contains("New, TLSv1.3");
        }
        for (String other : List.of("P-521", "X448", "ffdhe2048", "ffdhe8192")) {
          assertThat(handshake(port, "-groups", other))
              .as(other)
              .contains("SSL alert number", "New, (NONE)");
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.1", "TLSv1", "SSLv3", "TLSv1.3,TLSv1.1", "all"})
  void olderOnesStopTheStart(String versions) {
    assertThatThrownBy(
            () -> TlsPorts.start(files, OPTIONS + "enabled-protocols=" + versions).close())
        .hasStackTraceContaining("spring.ssl.bundle.pem.edge.options.enabled-protocols");
  }

  @Test
  void weakCiphersStopTheStart() {
    assertThatThrownBy(
            () -> TlsPorts.start(files, OPTIONS + "ciphers=TLS_RSA_WITH_AES_128_CBC_SHA").close())
        .hasStackTraceContaining("spring.ssl.bundle.pem.edge.options.ciphers");
  }

  /** Spring Boot would take them from the bundle, and say nothing. */
  @ParameterizedTest
  @CsvSource({
    "server,enabled-protocols,TLSv1.2",
    "management.server,enabled-protocols,TLSv1.3",
    "server,ciphers,TLS_AES_128_GCM_SHA256",
  })
  void settingsWithoutEffectStopTheStart(String port, String option, String value) {
    assertThatThrownBy(
            () -> TlsPorts.start(files, "--%s.ssl.%s=%s".formatted(port, option, value)).close())
        .hasStackTraceContaining(port + ".ssl." + option + " has no effect");
  }

  /** A name that a client may ask for has the same rules as the others. */
  @Test
  void aBundleForOneHostNameNeedsATrustStoreToo() {
    String bundle = "--spring.ssl.bundle.pem.open.keystore.";
    assertThatThrownBy(() ->
            TlsPorts.start(
                    files,
                    bundle + "certificate=" + files.resolve("server.pem").toUri(),
                    bundle + "private-key=" + files.resolve("server.key").toUri(),
                    "--server.ssl.server-name-bundles[0].server-name=open.example",
                    "--server.ssl.server-name-bundles[0].bundle=open")
                .close())
        .hasStackTraceContaining("spring.ssl.bundle.pem.open.truststore.certificate");
  }

  private String version(int port, String... versions) throws IOException {
    try (KeptConnection connection =
        new KeptConnection(authority.context("client"), port, versions)) {
      assertThat(connection.get("/").status()).isPositive();
      return connection.version();
    }
  }

  /** What openssl says to it, which speaks versions that Java has given up. */
  private String handshake(int port, String... options) throws Exception {
    String[] command = {"s_client", "-connect", "127.0.0.1:" + port, "-cert", "client.pem", "-key"};
    String[] old = {"client.key", "-cipher", "ALL:@SECLEVEL=0"};
    return new OpenSsl(files)
        .attempt(Stream.of(command, old, options).flatMap(Arrays::stream).toArray(String[]::new));
  }
}
