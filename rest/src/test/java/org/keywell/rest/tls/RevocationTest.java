package org.keywell.rest.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.Await;
import org.keywell.testkit.FreePort;
import org.keywell.testkit.KeptConnection;
import org.keywell.testkit.OcspResponder;
import org.keywell.testkit.RawHttp;
import org.keywell.testkit.TlsAuthority;

/** Callers whose certificates do not count, or no more: over real TLS, at both ports. */
@Tag("process")
final class RevocationTest {

  private static final String REVOCATION = "--keywell.security.revocation.";
  private static final String CLIENT = "extendedKeyUsage=clientAuth";

  @TempDir Path files;

  private TlsAuthority authority;

  @BeforeEach
  void makeCertificates() throws Exception {
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("client", CLIENT);
  }

  @Test
  void theHandshakeFailsWithoutACertificateThatIsTrustedAndValidNow() throws Exception {
    Instant now = Instant.now();
    authority.certify("expired", now.minusSeconds(7_200), now.minusSeconds(3_600), CLIENT);
    authority.certify("early", now.plusSeconds(3_600), now.plusSeconds(7_200), CLIENT);
    authority.certify("service", "extendedKeyUsage=serverAuth");
    TlsAuthority foreign = TlsAuthority.create(files, "foreign");
    foreign.certify("intruder", CLIENT);
    try (EdgeServer server = TlsPorts.start(files)) {
      for (int port : ports(server)) {
        for (@Nullable String name :
            new @Nullable String[] {null, "expired", "early", "service", "intruder"}) {
          assertThatThrownBy(() -> get(port, name)).as("%s", name).isInstanceOf(IOException.class);
        }
        assertThat(get(port, "client").status()).isNotEqualTo(403).isPositive();
      }
    }
  }

  @Test
  void aCertificateThatACrlListsIsRefusedOnKeptConnectionsToo() throws Exception {
    authority.certify("other", CLIENT);
    Path crl = authority.list("ca.crl", Instant.now().plusSeconds(600));
    try (EdgeServer server = TlsPorts.start(files, REVOCATION + "crl-file=" + crl);
        KeptConnection service = open(server.port(), "client");
        KeptConnection management = open(server.managementPort(), "client")) {
      assertThat(service.get("/echo").status()).isEqualTo(200);
      assertThat(management.get("/actuator").status()).isNotEqualTo(403);

      authority.revoke("client");
      authority.list("ca.crl", Instant.now().plusSeconds(600));

      Await.until("revoked", () -> problem(server.port(), "client").equals("certificate-revoked"));
      RawHttp.Answer refused = service.get("/echo");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.body()).contains("urn:keywell:problem:certificate-revoked");
      assertThat(refused.header("Connection")).isEqualTo("close");
      assertThatThrownBy(() -> service.get("/echo")).isInstanceOf(IOException.class);
      assertThat(management.get("/actuator/health").status()).isEqualTo(403);
      assertThat(get(server.port(), "other").status()).isEqualTo(200);
    }
  }

  /** And an authority's own certificate, which its root has revoked. */
  @Test
  void aRevokedAuthorityTakesItsCertificatesWithIt() throws Exception {
    TlsAuthority branch = authority.subordinate("branch");
    branch.certify("leaf", CLIENT);
    Files.writeString(
        files.resolve("leaf.pem"),
        Files.readString(files.resolve("leaf.pem")) + Files.readString(branch.certificate()));
    Path crls = files.resolve("all.crl");
    writeLists(crls, branch);
    try (EdgeServer server = TlsPorts.start(files, REVOCATION + "crl-file=" + crls)) {
      assertThat(get(server.port(), "leaf").status()).isEqualTo(200);

      authority.revoke("branch");
      writeLists(crls, branch);

      Await.until("revoked", () -> problem(server.port(), "leaf").equals("certificate-revoked"));
    }
  }

  @Test
  void aCrlThatIsNotCurrentTellsNothing() throws Exception {
    Path crl = authority.list("ca.crl", Instant.now().minusSeconds(60));
    try (EdgeServer server = TlsPorts.start(files, REVOCATION + "crl-file=" + crl)) {
      assertThat(get(server.port(), "client").status()).isEqualTo(503);
      assertThat(problem(server.port(), "client")).isEqualTo("revocation-unknown");
      assertThat(get(server.port(), "client").header("Retry-After")).isEqualTo("5");
    }
    try (EdgeServer server =
        TlsPorts.start(files, REVOCATION + "crl-file=" + crl, REVOCATION + "when-unknown=accept")) {
      assertThat(get(server.port(), "client").status()).isEqualTo(200);
    }
  }

  @Test
  void aCrlFileThatCannotBeUsedStopsTheStart() throws Exception {
    Files.writeString(files.resolve("no.crl"), "");
    for (String file : new String[] {"missing.crl", "no.crl", "ca.pem"}) {
      assertThatThrownBy(
              () -> TlsPorts.start(files, REVOCATION + "crl-file=" + files.resolve(file)).close())
          .hasStackTraceContaining("keywell.security.revocation.crl-file");
    }
  }

  @Test
  void aCertificateThatAResponderCallsRevokedIsRefusedOnKeptConnectionsToo() throws Exception {
    authority.certify("other", CLIENT);
    try (OcspResponder responder = authority.responder(FreePort.find());
        EdgeServer server =
            TlsPorts.start(
                files, REVOCATION + "ocsp=" + responder.url(), REVOCATION + "max-age=1s")) {
      Await.until("the responder answers", () -> problem(server.port(), "client").isEmpty());
      try (KeptConnection kept = open(server.port(), "client")) {
        assertThat(kept.get("/echo").status()).isEqualTo(200);

        authority.revoke("client");

        Await.until("revoked", () -> problem(server.port(), "client").contains("revoked"));
        RawHttp.Answer refused = kept.get("/echo");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).contains("urn:keywell:problem:certificate-revoked");
      }
      assertThat(get(server.port(), "other").status()).isEqualTo(200);
    }
  }

  /** The address of the responder is in the certificate. */
  @Test
  void theResponderThatACertificateNamesIsAsked() throws Exception {
    int port = FreePort.find();
    authority.certify("named", CLIENT, "authorityInfoAccess=OCSP;URI:http://127.0.0.1:" + port);
    try (OcspResponder responder = authority.responder(port);
        EdgeServer server =
            TlsPorts.start(files, REVOCATION + "ocsp=certificate", REVOCATION + "max-age=1s")) {
      assertThat(responder.url()).endsWith(":" + port);
      Await.until("good", () -> problem(server.port(), "named").isEmpty());
      assertThat(problem(server.port(), "client")).isEqualTo("revocation-unknown");
    }
  }

  /** It takes the connection, and says nothing. */
  @Test
  void aResponderThatHangsIsWaitedForWithinTheLimit() throws Exception {
    Path crl = authority.list("ca.crl", Instant.now().plusSeconds(600));
    try (ServerSocket hanging = new ServerSocket(0)) {
      String ocsp = REVOCATION + "ocsp=http://127.0.0.1:" + hanging.getLocalPort();
      String limit = REVOCATION + "time-limit=500ms";
      try (EdgeServer server = TlsPorts.start(files, ocsp, limit)) {
        long start = System.nanoTime();
        assertThat(problem(server.port(), "client")).isEqualTo("revocation-unknown");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
      }
      try (EdgeServer server = TlsPorts.start(files, ocsp, limit, REVOCATION + "crl-file=" + crl)) {
        Await.until("by the file", () -> problem(server.port(), "client").isEmpty());
      }
    }
  }

  @Test
  void aCertificateThatExpiresIsRefusedOnKeptConnectionsToo() throws Exception {
    Instant now = Instant.now();
    authority.certify("brief", now.minusSeconds(60), now.plusSeconds(4), CLIENT);
    try (EdgeServer server = TlsPorts.start(files);
        KeptConnection kept = open(server.port(), "brief")) {
      assertThat(kept.get("/echo").status()).isEqualTo(200);
      RawHttp.Answer[] last = new RawHttp.Answer[1];
      Await.until(
          "expired",
          () -> {
            last[0] = kept.get("/echo");
            return last[0].status() != 200;
          });
      assertThat(last[0].status()).isEqualTo(403);
      assertThat(last[0].body()).contains("urn:keywell:problem:caller-unknown", "valid from");
    }
  }

  /** The authority was taken out of the trust store. */
  @Test
  void whoIsTrustedNoMoreIsRefusedOnKeptConnectionsToo() throws Exception {
    TlsAuthority other = TlsAuthority.create(files, "other");
    try (EdgeServer server =
            TlsPorts.start(
                files,
                "--spring.ssl.bundle.pem.edge.reload-on-update=true",
                "--spring.ssl.bundle.watch.file.quiet-period=200ms");
        KeptConnection kept = open(server.port(), "client")) {
      assertThat(kept.get("/echo").status()).isEqualTo(200);

      Files.copy(other.certificate(), files.resolve("trusted.fresh"));
      Files.move(
          files.resolve("trusted.fresh"),
          files.resolve("trusted.pem"),
          StandardCopyOption.ATOMIC_MOVE);

      Await.until("not trusted", () -> kept.get("/echo").status() == 403);
    }
  }

  private void writeLists(Path file, TlsAuthority branch) throws Exception {
    Instant end = Instant.now().plusSeconds(600);
    Files.writeString(
        files.resolve("fresh.crl"),
        Files.readString(authority.list("ca.crl", end))
            + Files.readString(branch.list("branch.crl", end)));
    Files.move(files.resolve("fresh.crl"), file, StandardCopyOption.ATOMIC_MOVE);
  }

  private KeptConnection open(int port, @Nullable String name) throws IOException {
    return new KeptConnection(authority.context(name), port);
  }

  private RawHttp.Answer get(int port, @Nullable String name) throws IOException {
    try (KeptConnection connection = open(port, name)) {
      return connection.get("/echo");
    }
  }

  /** The last part of the problem's type; empty without one. */
  private String problem(int port, String name) throws IOException {
    String body = get(port, name).body();
    int start = body.indexOf("urn:keywell:problem:");
    return start < 0 ? "" : body.substring(start + 20, body.indexOf('"', start));
  }

  private static int[] ports(EdgeServer server) {
    return new int[] {server.port(), server.managementPort()};
  }
}
