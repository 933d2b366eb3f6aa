package org.keywell.rest.http;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.apache.coyote.Response;
import org.jspecify.annotations.Nullable;
import org.keywell.listener.Guest;
import org.keywell.listener.Origin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A caller's connection: its phase, and since when. Updated by the thread that serves it; others
 * may read it and may cut it.
 */
public final class HttpConnection implements Guest {

  enum Phase {
    /** A request's head is awaited or arriving; at first, this includes the TLS handshake. */
    HEAD,
    /** The head is complete, the body is not. */
    BODY,
    /** The request is complete and being processed, or its answer is being sent. */
    ANSWER,
    /** An endless answer is being sent. */
    STREAM,
    /** Between two requests. */
    IDLE
  }

  static final String ATTRIBUTE = HttpConnection.class.getName();

  private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);

  private final SocketChannel channel;
  private final Origin origin;
  private volatile long sinceNanos;
  private volatile Phase phase;
  private volatile @Nullable Response answer;
  private volatile boolean cut;
  private volatile @Nullable Runnable onceAuthenticated;

  HttpConnection(SocketChannel channel, long nanoTime) {
    this.channel = channel;
    this.origin = Origin.of(channel.socket().getInetAddress());
    this.sinceNanos = nanoTime;
    this.phase = Phase.HEAD;
  }

  /** Marks the request as fully received: from here on the connection is being served. */
  public static void requestIsComplete(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof HttpConnection connection) {
      connection.enter(Phase.ANSWER, System.nanoTime());
    }
  }

  /** Marks the answer as an endless stream of events, to which no time limit applies. */
  public static void answerHasNoEnd(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof HttpConnection connection) {
      connection.enter(Phase.STREAM, System.nanoTime());
    }
  }

  /**
   * Notes that a complete head has arrived.
   *
   * @param next {@code BODY} or {@code ANSWER}
   */
  void headIsComplete(Phase next, Response answer, long nanoTime) {
    this.answer = answer;
    enter(next, nanoTime);
  }

  // INVARIANT: the time is written first and read last. A reader in between sees at worst the new
  // time with the old phase and takes the connection for younger than it is.
  void enter(Phase next, long nanoTime) {
    sinceNanos = nanoTime;
    phase = next;
  }

  /** Sets what is done as soon as the TLS handshake is complete. */
  void onceAuthenticated(Runnable then) {
    onceAuthenticated = then;
  }

  /** Notes that the TLS handshake is complete, if there is one. */
  void isAuthenticated() {
    Runnable then = onceAuthenticated;
    if (then != null) {
      onceAuthenticated = null;
      then.run();
    }
  }

  /** Notes that bytes have arrived. */
  void awake(long nanoTime) {
    if (phase == Phase.IDLE) {
      enter(Phase.HEAD, nanoTime);
    }
  }

  @Override
  public Origin origin() {
    return origin;
  }

  /**
   * It keeps the service waiting unless a complete request waits for its answer. An answer is in
   * transit from its first byte on: most fit into the buffers, and whose does not has to read.
   */
  @Override
  public Guest.@Nullable Wait waiting() {
    long since = sinceNanos;
    return switch (phase) {
      case HEAD, BODY -> new Wait(false, since);
      case IDLE -> new Wait(true, since);
      case ANSWER -> {
        @Nullable Response current = answer;
        yield current != null && current.isCommitted()
            ? new Wait(false, current.getCommitTimeNanos())
            : null;
      }
      case STREAM -> null;
    };
  }

  /** Whether its caller has exceeded the time to send a request or to read the answer. */
  boolean isLate(Duration headTime, Duration bodyTime, Duration answerTime, long nanoTime) {
    return switch (phase) {
      case HEAD -> age(nanoTime) > headTime.toNanos();
      case BODY -> age(nanoTime) > bodyTime.toNanos();
      case ANSWER -> sendingNanos(nanoTime) > answerTime.toNanos();
      case STREAM, IDLE -> false;
    };
  }

  /** Returns how long the answer has been in transit; 0 before that. */
  private long sendingNanos(long nanoTime) {
    Response current = answer;
    // Tomcat writes the time before the flag that isCommitted reads.
    return current != null && current.isCommitted() ? nanoTime - current.getCommitTimeNanos() : 0;
  }

  private long age(long nanoTime) {
    return nanoTime - sinceNanos;
  }

  boolean isCut() {
    return cut;
  }

  /**
   * Shuts down the caller's side, so that the thread that serves the connection meets an end or an
   * error and closes it; closing it here would take the buffers from under that thread. An answer
   * that is not being read is discarded, so that the system does not keep sending it.
   */
  void cut() {
    boolean unread = phase == Phase.ANSWER && sendingNanos(System.nanoTime()) > 0;
    cut = true;
    try {
      if (unread) {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.shutdownOutput();
      }
      channel.shutdownInput();
    } catch (IOException e) {
      log.debug("a connection was closed while it was cut", e);
    }
  }
}
