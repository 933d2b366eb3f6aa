package org.keywell.service.http;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A caller's connection: what it is at, and since when. Told by the thread that serves it; others
 * may ask, and may cut it.
 */
public final class HttpConnection {

  enum Phase {
    /** A request's head is awaited or is arriving; at first, the TLS handshake too. */
    HEAD,
    /** The head is complete, the body is not. */
    BODY,
    /** The request is complete and is worked on, or its answer is being sent. */
    ANSWER,
    /** Between two requests. */
    IDLE
  }

  static final String ATTRIBUTE = HttpConnection.class.getName();

  private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);

  private final SocketChannel channel;
  private volatile long sinceNanos;
  private volatile Phase phase;
  private volatile boolean cut;

  HttpConnection(SocketChannel channel, long nanoTime) {
    this.channel = channel;
    this.sinceNanos = nanoTime;
    this.phase = Phase.HEAD;
  }

  /** From here on the connection is in service: its caller has sent all that there is to send. */
  public static void requestIsComplete(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof HttpConnection connection) {
      connection.enter(Phase.ANSWER, System.nanoTime());
    }
  }

  // INVARIANT: the time is written first and read last. Whoever asks meanwhile sees the new time
  // with the old phase at the worst, and takes the connection for younger than it is.
  void enter(Phase next, long nanoTime) {
    sinceNanos = nanoTime;
    phase = next;
  }

  /** Bytes have come. */
  void awake(long nanoTime) {
    if (phase == Phase.IDLE) {
      enter(Phase.HEAD, nanoTime);
    }
  }

  /** Whether nothing is lost if the connection ends: no complete request waits for its answer. */
  boolean isWaiting() {
    return phase != Phase.ANSWER;
  }

  /** Whether head or body take longer than they may. */
  boolean isLate(Duration headTime, Duration bodyTime, long nanoTime) {
    return switch (phase) {
      case HEAD -> age(nanoTime) > headTime.toNanos();
      case BODY -> age(nanoTime) > bodyTime.toNanos();
      case ANSWER, IDLE -> false;
    };
  }

  /** Whether a request has been on its way for so long. */
  boolean isSlow(Duration time, long nanoTime) {
    return isLate(time, time, nanoTime);
  }

  /** How long it has been at what it is at. */
  long age(long nanoTime) {
    return nanoTime - sinceNanos;
  }

  boolean isCut() {
    return cut;
  }

  /**
   * Ends the caller's side. The thread that serves the connection reads its end, and closes it: to
   * close it from here would take its buffers from under that thread.
   */
  void cut() {
    cut = true;
    try {
      channel.shutdownInput();
    } catch (IOException e) {
      log.debug("a connection was closed while it was cut", e);
    }
  }
}
