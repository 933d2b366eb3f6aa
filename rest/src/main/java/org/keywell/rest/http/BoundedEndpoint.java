package org.keywell.rest.http;

import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.keywell.listener.Admission;
import org.keywell.settings.HttpProperties;

/**
 * Accepts each connection and stays within the limit by cutting another one that keeps the service
 * waiting ({@link Admission}). Tomcat's own limit leaves newcomers in the backlog, where signing
 * requests wait behind connections that request nothing. Also cuts connections that take too long.
 */
final class BoundedEndpoint extends NioEndpoint {

  private static final long LOOK_MILLIS = 100;

  /** Connections that have been cut but not yet closed by the threads that serve them. */
  private static final int CLOSING = 250;

  /** Requests are small; an answer with its certificates fits into the write buffer. */
  private static final int READ_BYTES = 2 << 10;

  private static final int WRITE_BYTES = 4 << 10;

  /**
   * The system's buffer for answers that callers have not read; Linux doubles it. By default it
   * grows to megabytes per connection.
   */
  private static final int UNREAD_BYTES = 32 << 10;

  private final Map<SocketWrapperBase<?>, HttpConnection> known = new ConcurrentHashMap<>();
  private Handshakes handshakes = Handshakes.onHalfOfTheProcessors();
  private HttpProperties limits =
      new HttpProperties(
          1_000,
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ZERO);
  private @Nullable Thread watch;

  BoundedEndpoint() {
    getSocketProperties().setAppReadBufSize(READ_BYTES);
    getSocketProperties().setAppWriteBufSize(WRITE_BYTES);
    getSocketProperties().setTxBufSize(UNREAD_BYTES);
  }

  void limit(HttpProperties limits, Handshakes handshakes) {
    this.limits = limits;
    this.handshakes = handshakes;
    setMaxConnections(limits.maxConnections() + CLOSING);
  }

  @Override
  public void startInternal() throws Exception {
    super.startInternal();
    watch = Thread.ofPlatform().daemon().name("keywell-connections").start(this::watch);
  }

  @Override
  public void stopInternal() {
    if (watch != null) {
      watch.interrupt();
      watch = null;
    }
    super.stopInternal();
  }

  @Override
  protected boolean setSocketOptions(SocketChannel socket) {
    boolean taken = super.setSocketOptions(socket);
    SocketWrapperBase<NioChannel> wrapper = connections.get(socket);
    if (wrapper != null) {
      track(wrapper, socket);
    }
    if (connections.size() > limits.maxConnections()) {
      makeRoom();
    }
    return taken;
  }

  @Override
  protected SocketProcessorBase<NioChannel> createSocketProcessor(
      SocketWrapperBase<NioChannel> wrapper, SocketEvent event) {
    return new TurnTaking(wrapper, event);
  }

  /** What to do about a connection's event; a handshake goes on when it has a turn. */
  private final class TurnTaking extends SocketProcessor {

    TurnTaking(SocketWrapperBase<NioChannel> wrapper, SocketEvent event) {
      super(wrapper, event);
    }

    @Override
    protected void doRun() {
      NioChannel channel = socketWrapper.getSocket();
      InetAddress peer = channel.getIOChannel().socket().getInetAddress();
      if (channel.isHandshakeComplete() || peer == null) {
        super.doRun();
        return;
      }
      HttpConnection shaking = connection(socketWrapper);
      try (Handshakes.Turn turn = handshakes.turn(peer, limits.headTime())) {
        // A request that arrived with its end is served at once, and may wait for the HSM.
        shaking.onceAuthenticated(turn::close);
        super.doRun();
      } catch (InterruptedException e) {
        // The server is stopping.
        Thread.currentThread().interrupt();
        super.doRun();
      }
    }
  }

  /** Returns a connection's state, even before the acceptor has registered it. */
  HttpConnection connection(SocketWrapperBase<?> wrapper) {
    HttpConnection connection = known.get(wrapper);
    return connection != null
        ? connection
        : track(wrapper, ((NioSocketWrapper) wrapper).getSocket().getIOChannel());
  }

  private HttpConnection track(SocketWrapperBase<?> wrapper, SocketChannel socket) {
    return known.computeIfAbsent(wrapper, _ -> new HttpConnection(socket, System.nanoTime()));
  }

  private void makeRoom() {
    known.keySet().removeIf(SocketWrapperBase::isClosed);
    List<HttpConnection> open =
        known.values().stream().filter(connection -> !connection.isCut()).toList();
    @Nullable HttpConnection victim =
        open.size() > limits.maxConnections() ? Admission.toMakeRoom(open) : null;
    if (victim != null) {
      victim.cut();
    }
  }

  private boolean isLate(HttpConnection connection, long now) {
    return connection.isLate(limits.headTime(), limits.bodyTime(), limits.answerTime(), now);
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        long now = System.nanoTime();
        known.keySet().removeIf(SocketWrapperBase::isClosed);
        for (HttpConnection connection : known.values()) {
          if (!connection.isCut() && isLate(connection, now)) {
            connection.cut();
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
