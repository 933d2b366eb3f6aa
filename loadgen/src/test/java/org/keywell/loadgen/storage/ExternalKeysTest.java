package org.keywell.loadgen.storage;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** What the acceptance tests do not see; they wrap and unwrap by the real service. */
final class ExternalKeysTest {

  @Test
  void aStoreThatIsNotThereIsUnreachable() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    XksClient client =
        new XksClient(
            SSLContext.getDefault(),
            URI.create("https://127.0.0.1:" + port + "/kms/xks/v1"),
            "ID",
            "a secret");
    assertThatExceptionOfType(KeyRefusedException.class)
        .isThrownBy(() -> new ExternalKeys(client, "key").wrap(new byte[64]))
        .withMessageContaining("unreachable: ConnectException at https://127.0.0.1:" + port)
        .extracting(KeyRefusedException::name)
        .isEqualTo("unreachable");
  }
}
