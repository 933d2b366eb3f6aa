package org.keywell.rest.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.rest.EdgeServer;
import org.keywell.testkit.SslScan;
import org.keywell.testkit.TlsAuthority;

/** What sslscan thinks of both ports. {@code ./keywell test --lint} sets it up. */
@Tag("lint")
final class TlsScanIT {

  @TempDir Path files;

  @Test
  void nothingIsWeak() throws Exception {
    TlsAuthority.create(files, "ca").certify("server", "subjectAltName=IP:127.0.0.1");
    String both = "--spring.ssl.bundle.pem.edge.options.enabled-protocols=TLSv1.3,TLSv1.2";
    try (EdgeServer server = TlsPorts.start(files, both)) {
      for (int port : new int[] {server.port(), server.managementPort()}) {
        SslScan scan = SslScan.of(port);
        assertThat(scan.versions()).containsExactly("tls 1.2", "tls 1.3");
        assertThat(scan.suites()).containsAll(TlsRules.CIPHERS.subList(0, 3));
        assertThat(scan.groups()).hasSizeGreaterThanOrEqualTo(TlsRules.GROUPS.size());
        assertThat(scan.weak()).isEmpty();
      }
    }
  }
}
