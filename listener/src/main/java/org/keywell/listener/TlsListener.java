package org.keywell.listener;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.keywell.keypool.log.LogPace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for clients, with a thread for each connection, so that a slow request delays nobody
 * else's. Beyond the limit, a connection whose client has not proven who it is makes room, if there
 * is one; else the new one is closed at once. Thread-safe; starts once.
 */
public final class TlsListener {

  private static final Logger log = LoggerFactory.getLogger(TlsListener.class);

  /** How late a limit may be noticed. */
  private static final long LOOK_NANOS = Duration.ofMillis(10).toNanos();

  private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();
  private static final int BACKLOG = 128;

  private final ListenerConfig config;
  private final Protocol protocol;
  private final Supplier<SSLContext> tls;
  private final HandshakeTurns turns;
  private final Places connections;
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final LogPace full = new LogPace(System::nanoTime);
  private final LogPace failed = new LogPace(System::nanoTime);
  private final ServerSocket listener;
  private volatile boolean closing;

  /**
   * Creates a listener that does not listen yet.
   *
   * @param tls asked for each connection, so that renewed certificates are shown from then on
   * @param turns of handshakes, with those at other ports
   */
  public TlsListener(
      ListenerConfig config, Supplier<SSLContext> tls, HandshakeTurns turns, Protocol protocol)
      throws IOException {
    this.config = config;
    this.tls = tls;
    this.turns = turns;
    this.protocol = protocol;
    this.connections = new Places(config.maxConnections());
    this.listener = new ServerSocket();
  }

  /**
   * Starts to listen.
   *
   * @throws IOException if the address or port cannot be used
   */
  public void start() throws IOException {
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(config.address(), config.port()), BACKLOG);
    Thread.ofPlatform().daemon().name(config.threads() + "accept").start(this::accept);
    Thread.ofPlatform().daemon().name(config.threads() + "watch").start(this::watch);
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
    return config.maxConnections();
  }

  /** Returns how many have been opened since the start, handshakes that failed included. */
  public long opened() {
    return opened.get();
  }

  /** Returns how many have been closed since the start because too many were open. */
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
      log.warn("the {} port cannot be closed: {}", config.name(), e.getMessage());
    }
    connections.open().forEach(Occupation::endAfterRequest);
    try {
      awaitAllEnded(limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connections.open().forEach(Occupation::cut);
  }

  private void awaitAllEnded(Duration limit) throws InterruptedException {
    synchronized (connections) {
      long end = System.nanoTime() + limit.toNanos();
      long left = limit.toNanos();
      while (!connections.isEmpty() && left > 0) {
        TimeUnit.NANOSECONDS.timedWait(connections, left);
        left = end - System.nanoTime();
      }
    }
  }

  private void accept() {
    while (!closing) {
      try {
        take(listener.accept());
      } catch (IOException e) {
        long told = closing ? 0 : failed.due(1);
        if (told > 0) {
          log.error(
              "{} connections that could not be accepted: {}; {}",
              config.name(),
              told,
              e.getMessage());
        }
        // Such as too many open files: trying at once would change nothing.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private void take(Socket socket) throws IOException {
    Occupation occupation = new Occupation(socket, System::nanoTime);
    if (!connections.take(occupation, this::noteOneTooMany)) {
      noteOneTooMany();
      socket.close();
      return;
    }
    if (closing) {
      occupation.endAfterRequest();
    }
    Thread.ofPlatform()
        .daemon()
        .name(config.threads() + opened.incrementAndGet())
        .start(() -> serve(socket, occupation));
  }

  private void noteOneTooMany() {
    refused.incrementAndGet();
    long told = full.due(1);
    if (told > 0) {
      log.warn(
          "{} connections closed at once: {}; {} are open ({})",
          config.name(),
          told,
          config.maxConnections(),
          config.maxConnectionsSetting());
    }
  }

  private void serve(Socket socket, Occupation occupation) {
    try {
      socket.setTcpNoDelay(true);
      ShakingInput arriving =
          new ShakingInput(
              socket.getInputStream(), turns, socket.getInetAddress(), config.handshakeTimeout());
      try (SSLSocket client = secured(socket, arriving)) {
        if (occupation.await(config.handshakeTimeout())) {
          shakeHands(client, arriving);
          if (config.clientAuth()) {
            occupation.proven();
          }
          // Otherwise, TLS 1.2 lets a client have as many handshakes as it asks for.
          client.setEnableSessionCreation(false);
          protocol.serve(client, occupation);
        }
      }
    } catch (IOException e) {
      // Strangers cause these at will: no handshake, an early end.
      log.debug("a {} connection has ended", config.name(), e);
    } catch (RuntimeException e) {
      log.error("a {} connection has failed", config.name(), e);
    } finally {
      occupation.cut();
      connections.leave(occupation);
    }
  }

  private static void shakeHands(SSLSocket client, ShakingInput arriving) throws IOException {
    try {
      client.startHandshake();
    } finally {
      arriving.handshakeOver();
    }
  }

  private SSLSocket secured(Socket socket, InputStream arriving) throws IOException {
    SSLSocket client =
        (SSLSocket) tls.get().getSocketFactory().createSocket(socket, arriving, true);
    SSLParameters parameters = client.getSSLParameters();
    parameters.setNeedClientAuth(config.clientAuth());
    parameters.setProtocols(config.protocols().toArray(String[]::new));
    parameters.setCipherSuites(config.suites().toArray(String[]::new));
    parameters.setNamedGroups(config.groups().toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    client.setSSLParameters(parameters);
    return client;
  }

  private void watch() {
    while (!listener.isClosed() || !connections.isEmpty()) {
      LockSupport.parkNanos(LOOK_NANOS);
      connections.open().forEach(Occupation::cutIfLate);
    }
  }
}
