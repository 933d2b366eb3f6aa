package org.keywell.rest.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.Await;
import org.keywell.testkit.KeptConnection;
import org.keywell.testkit.TlsAuthority;

/** Certificates that are exchanged while the service runs. */
@Tag("process")
final class ReloadTest {

  private static final String[] RELOAD = {
    "--spring.ssl.bundle.pem.edge.reload-on-update=true",
    "--spring.ssl.bundle.watch.file.quiet-period=200ms"
  };

  @TempDir Path files;

  private TlsAuthority authority;

  @BeforeEach
  void makeCertificates() throws Exception {
    authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("client", "extendedKeyUsage=clientAuth");
  }

  @Test
  void newConnectionsGetTheNewCertificateAndKeptOnesGoOn() throws Exception {
    try (EdgeServer server = TlsPorts.start(files, RELOAD);
        KeptConnection service = open(server.port());
        KeptConnection management = open(server.managementPort())) {
      int served = service.get("/echo").status();
      int managed = management.get("/actuator/health").status();
      BigInteger before = service.serverCertificate().getSerialNumber();
      assertThat(management.serverCertificate().getSerialNumber()).isEqualTo(before);

      authority.certify("server", "subjectAltName=IP:127.0.0.1");

      for (int port : new int[] {server.port(), server.managementPort()}) {
        Await.until("the new certificate", () -> !serial(port).equals(before));
        assertThatThrownBy(() -> serial(port, "TLSv1.2"))
            .as("what was left out before")
            .isInstanceOf(IOException.class);
      }
      assertThat(service.get("/echo").status()).isEqualTo(served);
      assertThat(management.get("/actuator/health").status()).isEqualTo(managed);
    }
  }

  @Test
  void whoIsTrustedIsExchangedToo() throws Exception {
    TlsAuthority other = TlsAuthority.create(files, "other");
    other.certify("stranger", "extendedKeyUsage=clientAuth");
    try (EdgeServer server = TlsPorts.start(files, RELOAD)) {
      assertThat(isServed(server, "client")).isTrue();
      assertThat(isServed(server, "stranger")).isFalse();

      trust(Files.readString(other.certificate()));

      Await.until("who is trusted now", () -> isServed(server, "stranger"));
      assertThat(isServed(server, "client")).isFalse();
    }
  }

  /** Java would trust public authorities instead. */
  @Test
  void aTrustStoreWithoutACertificateLeavesTheOneBefore() throws Exception {
    try (EdgeServer server = TlsPorts.start(files, RELOAD)) {
      BigInteger before = serial(server.port());

      trust("");
      authority.certify("server", "subjectAltName=IP:127.0.0.1");
      Thread.sleep(1_000);
      assertThat(serial(server.port())).isEqualTo(before);

      trust(Files.readString(authority.certificate()));
      Await.until("the new certificate", () -> !serial(server.port()).equals(before));
    }
  }

  private KeptConnection open(int port, String... versions) throws IOException {
    return new KeptConnection(authority.context("client"), port, versions);
  }

  private BigInteger serial(int port, String... versions) throws IOException {
    try (KeptConnection connection = open(port, versions)) {
      assertThat(connection.get("/").status()).isPositive();
      return connection.serverCertificate().getSerialNumber();
    }
  }

  private boolean isServed(EdgeServer server, String client) {
    try (KeptConnection connection = new KeptConnection(authority.context(client), server.port())) {
      return connection.get("/").status() > 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void trust(String certificates) throws IOException {
    Path fresh = files.resolve("trusted.fresh");
    Files.writeString(fresh, certificates);
    Files.move(fresh, files.resolve("trusted.pem"), StandardCopyOption.ATOMIC_MOVE);
  }
}
