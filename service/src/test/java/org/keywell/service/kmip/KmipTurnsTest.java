package org.keywell.service.kmip;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.keywell.kmip.message.AnswerListener;
import org.keywell.kmip.message.MessageLimits;
import org.keywell.kmip.message.OperationRegistry;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.kmip.message.ServerDescription;
import org.keywell.kmip.server.KmipServer;
import org.keywell.kmip.server.KmipServerConfig;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.listener.HandshakeTurns;
import org.keywell.rest.http.Handshakes;
import org.keywell.rest.tls.TlsRules;
import org.keywell.testkit.Await;
import org.keywell.testkit.TlsAuthority;

/** The KMIP port with the turns of the HTTP ports. */
@Timeout(60)
final class KmipTurnsTest {

  private static final Duration LONG = Duration.ofSeconds(50);
  private static final int FLOOD = 40;

  private final List<InetAddress> given = new CopyOnWriteArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();

  /** Linux has all of 127.0.0.0/8. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFloodOfConnectionsDoesNotKeepACallerAtAnotherAddressOut(@TempDir Path files)
      throws Exception {
    TlsAuthority authority = TlsAuthority.create(files, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("client", "extendedKeyUsage=clientAuth");
    SSLContext client = authority.context("client");
    InetAddress flooding = InetAddress.getByName("127.0.0.2");
    InetAddress calling = InetAddress.getByName("127.0.0.3");
    Handshakes handshakes = Handshakes.onHalfOfTheProcessors();
    KmipServer<String> server = server(authority.context("server"), seen(handshakes));
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // All turns there are, until everybody waits.
      List<Handshakes.Turn> held = new CopyOnWriteArrayList<>();
      for (int i = 0; i < Math.max(1, Runtime.getRuntime().availableProcessors() / 2); i++) {
        held.add(handshakes.turn(InetAddress.getByName("127.0.0.9"), LONG));
      }
      for (int i = 0; i < FLOOD; i++) {
        Future<Boolean> _ = threads.submit(() -> connect(client, server.port(), flooding));
      }
      Await.until("the flood waits", () -> asked.get() == FLOOD);
      Future<Boolean> caller = threads.submit(() -> connect(client, server.port(), calling));
      Await.until("the caller waits", () -> asked.get() == FLOOD + 1);

      held.forEach(Handshakes.Turn::close);

      assertThat(caller.get()).as("connected").isTrue();
      assertThat(given.indexOf(calling)).as("its turn").isBetween(0, FLOOD / 4);
    } finally {
      server.close(Duration.ZERO);
    }
  }

  private HandshakeTurns seen(Handshakes handshakes) {
    return (address, limit) -> {
      asked.incrementAndGet();
      Handshakes.Turn turn = handshakes.turn(address, limit);
      given.add(address);
      return turn::close;
    };
  }

  private static KmipServer<String> server(SSLContext tls, HandshakeTurns turns)
      throws IOException {
    KmipServerConfig config =
        new KmipServerConfig(
            InetAddress.getLoopbackAddress(),
            0,
            2 * FLOOD,
            LONG,
            LONG,
            LONG,
            1 << 10,
            TlsRules.VERSIONS,
            TlsRules.CIPHERS,
            TlsRules.GROUPS);
    RequestProcessor<String> nothing =
        new RequestProcessor<>(
            TtlvLimits.STANDARD,
            MessageLimits.STANDARD,
            new OperationRegistry<>(Map.of(), new ServerDescription("v", "1", List.of())),
            InstantSource.system(),
            unexpected -> {},
            AnswerListener.NONE);
    KmipServer<String> server = new KmipServer<>(config, () -> tls, turns, _ -> "caller", nothing);
    server.start();
    return server;
  }

  private static boolean connect(SSLContext context, int port, InetAddress from)
      throws IOException {
    try (SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port, from, 0)) {
      socket.startHandshake();
      return true;
    }
  }
}
