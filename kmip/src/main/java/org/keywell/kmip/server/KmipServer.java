package org.keywell.kmip.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.keywell.keypool.log.LogPace;
import org.keywell.kmip.message.RequestProcessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients that present a certificate, and answers their requests: a thread for each
 * connection, so that a slow request delays nobody else's. A connection beyond the limit is closed
 * at once. Thread-safe; starts once.
 *
 * @param <C> a caller
 */
public final class KmipServer<C> {

  private static final Logger log = LoggerFactory.getLogger(KmipServer.class);

  private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();
  private static final int BACKLOG = 128;

  private final KmipService<C> service;
  private final Supplier<SSLContext> tls;
  private final Set<Occupation> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final LogPace full = new LogPace(System::nanoTime);
  private final LogPace failed = new LogPace(System::nanoTime);
  private final ServerSocket listener;
  private volatile boolean closing;

  /**
   * Creates a server that does not listen yet.
   *
   * @param tls asked for each connection, so that renewed certificates are shown from then on
   * @param turns of handshakes, with those at other ports
   * @param callers returns who a client is by its certificates, its own first; asked for each
   *     request, and throws {@link CallerRefusedException} if it is nobody
   */
  public KmipServer(
      KmipServerConfig config,
      Supplier<SSLContext> tls,
      HandshakeTurns turns,
      Function<X509Certificate[], C> callers,
      RequestProcessor<C> processor)
      throws IOException {
    this.service =
        new KmipService<>(
            config,
            KmipService.messages(config),
            turns,
            callers,
            processor,
            new LogPace(System::nanoTime));
    this.tls = tls;
    this.listener = new ServerSocket();
  }

  /**
   * Starts to listen.
   *
   * @throws IOException if the address or port cannot be used
   */
  public void start() throws IOException {
    KmipServerConfig config = service.config();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(config.address(), config.port()), BACKLOG);
    Thread.ofPlatform().daemon().name("keywell-kmip-accept").start(this::accept);
    Thread.ofPlatform().daemon().name("keywell-kmip-watch").start(this::watch);
  }

  /** Returns the port, once it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Returns how many connections are open. */
  public int connections() {
    return connections.size();
  }

  /** Returns how many may be open. */
  public int mostConnections() {
    return service.config().maxConnections();
  }

  /** Returns how many have been opened since the start, handshakes that failed included. */
  public long opened() {
    return opened.get();
  }

  /** Returns how many have been closed at once since the start, because too many were open. */
  public long refused() {
    return refused.get();
  }

  /**
   * Stops listening, lets each request that has begun get its answer, and closes the connections.
   *
   * @param limit how long to wait for them; then they are cut
   */
  public void close(Duration limit) {
    closing = true;
    try {
      listener.close();
    } catch (IOException e) {
      log.warn("the KMIP port cannot be closed: {}", e.getMessage());
    }
    connections.forEach(Occupation::endAfterRequest);
    try {
      awaitAllEnded(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connections.forEach(Occupation::cut);
  }

  private synchronized void awaitAllEnded(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    long left = limit.toNanos();
    while (!connections.isEmpty() && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
  }

  private synchronized void ended(Occupation connection) {
    connections.remove(connection);
    notifyAll();
  }

  private void accept() {
    while (!closing) {
      try {
        take(listener.accept());
      } catch (IOException e) {
        long told = closing ? 0 : failed.due(1);
        if (told > 0) {
          log.error("KMIP connections that could not be accepted: {}; {}", told, e.getMessage());
        }
        // Such as too many open files: trying at once would change nothing.
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  private void take(Socket socket) throws IOException {
    if (connections.size() >= mostConnections()) {
      refused.incrementAndGet();
      socket.close();
      long told = full.due(1);
      if (told > 0) {
        log.warn(
            "KMIP connections closed at once: {}; {} are open (keywell.kmip.max-connections)",
            told,
            mostConnections());
      }
      return;
    }
    Occupation occupation = new Occupation(socket, System::nanoTime);
    connections.add(occupation);
    if (closing) {
      occupation.endAfterRequest();
    }
    Thread.ofPlatform()
        .daemon()
        .name("keywell-kmip-" + opened.incrementAndGet())
        .start(() -> serve(socket, occupation));
  }

  private void serve(Socket socket, Occupation occupation) {
    try {
      new Connection<>(service, occupation).serve(socket, tls.get());
    } catch (IOException e) {
      // Strangers cause these at will: no handshake, an early end.
      log.debug("a KMIP connection has ended", e);
    } catch (RuntimeException e) {
      log.error("a KMIP connection has failed", e);
    } finally {
      occupation.cut();
      ended(occupation);
    }
  }

  private void watch() {
    while (!listener.isClosed() || !connections.isEmpty()) {
      LockSupport.parkNanos(LOOK_NANOS);
      connections.forEach(Occupation::cutIfLate);
    }
  }
}
