package org.keywell.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.testkit.TlsAuthority;

/** More connections than there are places, which send nothing, from the clients' own address. */
@Tag("process")
@Timeout(120)
final class BareConnectionsTest {

  private static final int PLACES = 200;
  private static final int BARE = 210;
  private static final int CLIENTS = 40;
  private static final Duration LONG = Duration.ofSeconds(60);

  /**
   * Serves one byte for each byte.
   *
   * @param clientAuth as KMIP has it; false: as the external key store has it
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void clientsAreServedBesideThem(boolean clientAuth, @TempDir Path directory) throws Exception {
    TlsAuthority authority = TlsAuthority.create(directory, "authority");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("client");
    SSLContext server = authority.context("server");
    SSLContext client = authority.context("client");
    InetAddress loopback = InetAddress.getLoopbackAddress();
    TlsListener listener =
        new TlsListener(
            new ListenerConfig(
                "Echo",
                loopback,
                0,
                PLACES,
                LONG,
                clientAuth,
                List.of("TLSv1.3"),
                List.of("TLS_AES_128_GCM_SHA256"),
                List.of("x25519", "secp256r1")),
            () -> server,
            (_, _) -> () -> {},
            BareConnectionsTest::echo);
    List<Socket> open = new ArrayList<>();
    try {
      listener.start();
      for (int i = 0; i < BARE; i++) {
        open.add(new Socket(loopback, listener.port()));
      }
      int served = 0;
      for (int i = 0; i < CLIENTS; i++) {
        SSLSocket socket =
            (SSLSocket) client.getSocketFactory().createSocket(loopback, listener.port());
        open.add(socket);
        served += isServed(socket) ? 1 : 0;
      }

      assertThat(served).isEqualTo(CLIENTS);
      assertThat(listener.connections()).isLessThanOrEqualTo(PLACES);
    } finally {
      for (Socket socket : open) {
        socket.close();
      }
      listener.close(Duration.ofSeconds(10));
    }
  }

  private static boolean isServed(SSLSocket socket) {
    try {
      socket.setSoTimeout((int) LONG.toMillis());
      socket.getOutputStream().write(7);
      return socket.getInputStream().read() == 7;
    } catch (IOException e) {
      return false;
    }
  }

  private static void echo(SSLSocket tls, Occupation occupation) throws IOException {
    while (occupation.await(LONG)) {
      int one = tls.getInputStream().read();
      if (one < 0) {
        return;
      }
      occupation.work(LONG);
      tls.getOutputStream().write(one);
    }
  }
}
