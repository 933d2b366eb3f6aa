package org.keywell.kmip.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.keywell.listener.HandshakeTurns;
import org.keywell.testkit.Await;
import org.keywell.testkit.TlsAuthority;

/** Handshakes take turns, and nothing else does. */
@Timeout(60)
final class HandshakeTurnsTest {

  @TempDir static Path files;
  private static TlsAuthority authority;

  private final OneAtATime turns = new OneAtATime();
  private TestServer server;

  /** One turn, which is first come, first served. */
  private static final class OneAtATime implements HandshakeTurns {
    final Semaphore free = new Semaphore(1, true);
    final List<InetAddress> given = new CopyOnWriteArrayList<>();

    @Override
    public Runnable turn(InetAddress address, Duration limit) throws InterruptedException {
      free.acquire();
      given.add(address);
      AtomicBoolean mine = new AtomicBoolean(true);
      return () -> {
        if (mine.getAndSet(false)) {
          free.release();
        }
      };
    }
  }

  @BeforeAll
  static void certify() throws Exception {
    authority = TestServer.authority(files);
  }

  @BeforeEach
  void start() throws IOException {
    server = TestServer.start(authority, turns);
  }

  @AfterEach
  void stop() {
    server.close();
    assertThat(turns.free.availablePermits()).as("turns given back").isOne();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void aHandshakeWaitsForItsTurnAndARequestDoesNot(String version) throws Exception {
    try (KmipClient authenticated = server.client(version);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(authenticated.ask("Get")).contains("ResultStatus=Success");
      turns.free.acquire();
      Future<String> late =
          threads.submit(() -> {
            try (KmipClient client = server.client(version)) {
              return client.ask("Get");
            }
          });
      Await.until("it waits for its turn", () -> turns.free.getQueueLength() == 1);

      assertThat(authenticated.ask("Get")).contains("ResultStatus=Success");
      assertThat(late.isDone()).isFalse();

      turns.free.release();
      assertThat(late.get()).contains("ResultStatus=Success");
    }
  }

  @Test
  void aTurnIsForTheClientsAddress() throws IOException {
    try (KmipClient client = server.client()) {
      assertThat(client.ask("Get")).contains("ResultStatus=Success");
      assertThat(turns.given).contains(client.socket.getLocalAddress());
    }
  }

  /** Else a few of them would keep everybody out. */
  @Test
  void whoDoesNotGoOnWithAHandshakeHoldsNoTurn() throws IOException {
    SSLEngine engine = authority.context("client").createSSLEngine();
    engine.setUseClientMode(true);
    ByteBuffer hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    var _ = engine.wrap(ByteBuffer.allocate(0), hello);
    try (Socket silent = new Socket(InetAddress.getLoopbackAddress(), server.server.port());
        Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
      slow.getOutputStream().write(hello.array(), 0, 1);
      silent.getOutputStream().write(hello.array(), 0, hello.position());
      assertThat(silent.getInputStream().read()).as("the server's part").isNotNegative();
      try (KmipClient other = server.client()) {
        assertThat(other.ask("Get")).contains("ResultStatus=Success");
      }
    }
  }

  /** Often the first request arrives with the end of the handshake. */
  @Test
  void aRequestThatIsProcessedHoldsNoTurn() throws Exception {
    try (KmipClient busy = server.client()) {
      busy.send(KmipClient.message("Locate"));
      server.begun.await();
      try (KmipClient other = server.client()) {
        assertThat(other.ask("Get")).contains("ResultStatus=Success");
      }
      server.letGo.countDown();
      assertThat(busy.receive()).contains("ResultStatus=Success");
    }
  }

  @Test
  void aHandshakeThatFailsHoldsNoTurn() throws IOException {
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> server.client("TLSv1.1").ask("Get")).isInstanceOf(IOException.class);
    }
    try (KmipClient good = server.client()) {
      assertThat(good.ask("Get")).contains("ResultStatus=Success");
    }
  }
}
