package org.keywell.kmip.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.kmip.client.Messages;
import org.keywell.testkit.Await;
import org.keywell.testkit.TlsAuthority;

/** What a connection may take: bytes, time, and its place among the others. */
@Timeout(60)
final class ConnectionBoundsTest {

  private static final Duration SHORT = Duration.ofMillis(400);
  private static final Duration LONG = TestServer.LONG_TIME;

  @TempDir static Path files;
  private static TlsAuthority authority;

  @BeforeAll
  static void certify() throws Exception {
    authority = TestServer.authority(files);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void aMessageThatIsTooLongIsRefusedBeforeItIsRead(String version) throws IOException {
    String text = "x".repeat(2 * TestServer.MOST_BYTES);
    try (TestServer server = TestServer.start(authority);
        KmipClient client = server.client(version)) {
      assertThat(client.ask("Get", Messages.text("UniqueIdentifier", text)))
          .contains("ResultReason=InvalidMessage")
          .contains("ResultMessage=a message may have 4096 bytes at most");
      assertThat(client.ended()).isTrue();
    }
  }

  @Test
  void whatIsNoMessageIsRefused() throws IOException {
    try (TestServer server = TestServer.start(authority)) {
      byte[] message = KmipClient.message("Get");
      message[3] = 99;
      for (byte[] each : List.of(message, "GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII))) {
        try (KmipClient client = server.client()) {
          client.send(each);
          assertThat(client.receive()).contains("ResultStatus=OperationFailed");
          assertThat(client.ended()).isTrue();
        }
      }
      try (Socket plain = plain(server)) {
        plain.getOutputStream().write(KmipClient.message("Get"));
        assertThat(ends(plain)).isTrue();
      }
      try (KmipClient client = server.client()) {
        assertThat(client.ask("Get")).contains("ResultStatus=Success");
      }
    }
  }

  @Test
  void halfAMessageLeavesNothingBehind() throws Exception {
    try (TestServer server = TestServer.start(authority)) {
      for (int length : new int[] {1, 7, 8, 20}) {
        try (KmipClient client = server.client()) {
          client.send(Arrays.copyOf(KmipClient.message("Get"), length));
        }
      }
      Await.until("all have ended", () -> server.server.listener().connections() == 0);
    }
  }

  @Test
  void aMessageThatComesByteByByteIsNotAwaited() throws IOException {
    try (TestServer server = TestServer.start(authority, LONG, LONG, SHORT);
        KmipClient client = server.client()) {
      byte[] message = KmipClient.message("Get");
      // Sends a byte every 20 ms, which takes several times as long as it may.
      client.socket.setSoTimeout(20);
      int sent = 0;
      while (sent < message.length && !client.ended()) {
        try {
          client.send(new byte[] {message[sent++]});
        } catch (IOException e) {
          break;
        }
      }
      assertThat(sent).isLessThan(message.length);
    }
  }

  @Test
  void aHandshakeEndsInTime() throws IOException {
    try (TestServer server = TestServer.start(authority, SHORT, LONG, LONG);
        Socket silent = plain(server);
        Socket slow = plain(server)) {
      slow.getOutputStream().write(0x16);
      assertThat(ends(silent)).isTrue();
      assertThat(ends(slow)).isTrue();
    }
  }

  @Test
  void anIdleConnectionEndsInTime() throws IOException {
    try (TestServer server = TestServer.start(authority, LONG, SHORT, LONG);
        KmipClient idle = server.client()) {
      assertThat(idle.ended()).isTrue();
    }
  }

  @Test
  void anAnswerThatIsNotReadEndsInTime() throws Exception {
    try (TestServer server = TestServer.start(authority, LONG, LONG, SHORT);
        KmipClient client = server.client()) {
      client.send(KmipClient.message("Encrypt"));
      Await.until("it has ended", () -> server.server.listener().connections() == 0);
    }
  }

  @Test
  void aConnectionBeyondTheLimitIsClosed() throws Exception {
    List<KmipClient> clients = new ArrayList<>();
    try (TestServer server = TestServer.start(authority)) {
      for (int i = 0; i < TestServer.MOST_CONNECTIONS; i++) {
        KmipClient client = server.client();
        clients.add(client);
        // Only now does the server know it, too: a client ends its handshake first.
        assertThat(client.ask("Get")).contains("ResultStatus=Success");
      }
      assertThat(server.server.listener().refused()).isZero();
      assertThatThrownBy(server::client).isInstanceOf(IOException.class);
      assertThat(server.server.listener().refused()).isOne();
      assertThat(server.server.listener().opened()).isEqualTo(TestServer.MOST_CONNECTIONS);
      assertThat(clients.getFirst().ask("Get")).contains("ResultStatus=Success");
      clients.getFirst().close();
      Await.until(
          "its place is free",
          () -> server.server.listener().connections() < TestServer.MOST_CONNECTIONS);
      try (KmipClient another = server.client()) {
        assertThat(another.ask("Get")).contains("ResultStatus=Success");
      }
    } finally {
      for (KmipClient each : clients) {
        each.close();
      }
    }
  }

  private static Socket plain(TestServer server) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  /** Whether the server ends a connection; it may say why by an alert. */
  private static boolean ends(Socket socket) throws IOException {
    try (InputStream in = socket.getInputStream()) {
      return in.readAllBytes().length < 100;
    } catch (SocketException e) {
      return true;
    }
  }
}
