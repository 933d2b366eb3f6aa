package org.keywell.rest.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.rest.tls.Finding.Status;
import org.keywell.testkit.EndlessAnswers;
import org.keywell.testkit.TlsAuthority;

/** What a responder, or someone on the way to it, may answer. */
@Tag("process")
@Timeout(60)
final class OcspClientTest {

  private static final Duration LIMIT = Duration.ofMillis(500);

  private final AtomicBoolean followed = new AtomicBoolean();
  private X509Certificate certificate;
  private X509Certificate issuer;
  private EndlessAnswers server;

  @BeforeEach
  void serve(@TempDir Path files) throws Exception {
    TlsAuthority authority = TlsAuthority.create(files, "ca");
    authority.certify("client", "extendedKeyUsage=clientAuth");
    certificate = read(files.resolve("client.pem"));
    issuer = read(authority.certificate());
    server =
        EndlessAnswers.start()
            .with(
                "/moved",
                exchange -> {
                  exchange.getResponseHeaders().add("Location", "/there");
                  exchange.sendResponseHeaders(302, -1);
                  exchange.close();
                })
            .with(
                "/there",
                exchange -> {
                  followed.set(true);
                  exchange.close();
                })
            .with(
                "/page",
                exchange -> {
                  exchange.getResponseHeaders().add("Content-Type", "text/html");
                  exchange.sendResponseHeaders(200, 2);
                  exchange.getResponseBody().write("no".getBytes(UTF_8));
                  exchange.close();
                });
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void anAnswerHasALength() throws Exception {
    Finding finding = ask("/flood", Duration.ofSeconds(10));

    assertThat(finding.status()).isEqualTo(Status.UNKNOWN);
    assertThat(server.sent()).isLessThan(EndlessAnswers.FLOOD);
  }

  @Test
  void anAnswerHasATimeUpToItsLastByte() throws Exception {
    long start = System.nanoTime();

    assertThat(ask("/drip", LIMIT).reason()).contains("has not answered within 500 ms");

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void onlyTheResponderItselfIsAsked() throws Exception {
    assertThat(ask("/moved", Duration.ofSeconds(10)).reason()).contains("answers 302");
    assertThat(followed).isFalse();
  }

  @Test
  void aPageIsNotAnAnswer() throws Exception {
    assertThat(ask("/page", Duration.ofSeconds(10)).reason()).contains("answers 200, text/html");
  }

  @Test
  void anAddressOfAnotherKindTellsNothing() throws Exception {
    try (OcspClient client = new OcspClient(URI.create("ldap://127.0.0.1/"), LIMIT)) {
      assertThat(client.find(certificate, issuer, Instant.now()).reason())
          .contains("not http or https");
    }
  }

  private Finding ask(String path, Duration limit) {
    try (OcspClient client = new OcspClient(server.uri(path), limit)) {
      return client.find(certificate, issuer, Instant.now());
    }
  }

  private static X509Certificate read(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }
}
