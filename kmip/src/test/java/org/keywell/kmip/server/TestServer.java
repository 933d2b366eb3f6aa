package org.keywell.kmip.server;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import org.keywell.kmip.client.Messages;
import org.keywell.kmip.message.AnswerListener;
import org.keywell.kmip.message.MessageLimits;
import org.keywell.kmip.message.OperationHandler;
import org.keywell.kmip.message.OperationRegistry;
import org.keywell.kmip.message.RequestProcessor;
import org.keywell.kmip.message.ServerDescription;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.TtlvLimits;
import org.keywell.kmip.ttlv.Value;
import org.keywell.listener.HandshakeTurns;
import org.keywell.testkit.TlsAuthority;

/**
 * A server whose callers are common names of certificates. {@code Get} returns the caller's, {@code
 * Locate} waits until it is let go, {@code Encrypt} has a long answer.
 */
final class TestServer implements AutoCloseable {

  static final int MOST_BYTES = 4096;
  static final int MOST_CONNECTIONS = 4;
  static final Duration LONG_TIME = Duration.ofSeconds(30);
  static final HandshakeTurns NO_TURNS = (address, limit) -> () -> {};
  private static final int LONG = 48 << 20;

  final Set<String> callers = ConcurrentHashMap.newKeySet();
  final List<RuntimeException> unexpected = new CopyOnWriteArrayList<>();
  final CountDownLatch begun = new CountDownLatch(1);
  final CountDownLatch letGo = new CountDownLatch(1);
  final AtomicReference<SSLContext> tls = new AtomicReference<>();
  final KmipServer<String> server;
  private final TlsAuthority authority;

  private TestServer(
      TlsAuthority authority,
      HandshakeTurns turns,
      Duration handshake,
      Duration idle,
      Duration message)
      throws IOException {
    this.authority = authority;
    tls.set(authority.context("server"));
    callers.add("client");
    Map<String, OperationHandler<String>> handlers =
        Map.of(
            "Get",
            call -> List.of(Messages.text("UniqueIdentifier", call.caller())),
            "Locate",
            call -> {
              begun.countDown();
              awaitLetGo();
              return List.of();
            },
            "Encrypt",
            call -> List.of(Tag.named("Data").item(new Value.Bytes(new byte[LONG]))));
    KmipServerConfig config =
        new KmipServerConfig(
            InetAddress.getLoopbackAddress(),
            0,
            MOST_CONNECTIONS,
            handshake,
            idle,
            message,
            MOST_BYTES,
            List.of("TLSv1.3", "TLSv1.2"),
            List.of("TLS_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"),
            List.of("x25519", "secp256r1"));
    server = new KmipServer<>(config, tls::get, turns, this::caller, processor(handlers));
    server.start();
  }

  RequestProcessor<String> processor(Map<String, OperationHandler<String>> handlers) {
    return new RequestProcessor<>(
        TtlvLimits.STANDARD,
        new MessageLimits(4, 64 << 20),
        new OperationRegistry<>(handlers, new ServerDescription("keywell.org", "test", List.of())),
        Clock.systemUTC(),
        unexpected::add,
        AnswerListener.NONE);
  }

  static TlsAuthority authority(Path directory) throws IOException, InterruptedException {
    TlsAuthority authority = TlsAuthority.create(directory, "ca");
    authority.certify("server", "subjectAltName=IP:127.0.0.1");
    authority.certify("client", "extendedKeyUsage=clientAuth");
    return authority;
  }

  static TestServer start(TlsAuthority authority) throws IOException {
    return start(authority, LONG_TIME, LONG_TIME, LONG_TIME);
  }

  static TestServer start(TlsAuthority authority, HandshakeTurns turns) throws IOException {
    return new TestServer(authority, turns, LONG_TIME, LONG_TIME, LONG_TIME);
  }

  /** Starts a server that waits so long for each of these. */
  static TestServer start(
      TlsAuthority authority, Duration handshake, Duration idle, Duration message)
      throws IOException {
    return new TestServer(authority, NO_TURNS, handshake, idle, message);
  }

  private void awaitLetGo() {
    try {
      letGo.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String caller(X509Certificate[] chain) {
    String name = chain[0].getSubjectX500Principal().getName().replace("CN=", "");
    if (!callers.contains(name)) {
      throw new CallerRefusedException(name + " is nobody");
    }
    return name;
  }

  KmipClient client(String... versions) throws IOException {
    return new KmipClient(authority.context("client"), server.port(), versions);
  }

  @Override
  public void close() {
    letGo.countDown();
    server.close(Duration.ZERO);
  }
}
