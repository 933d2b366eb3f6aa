package org.keywell.service.http;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.apache.coyote.Response;
import org.jspecify.annotations.Nullable;
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
    /** An answer without an end is being sent. */
    STREAM,
    /** Between two requests. */
    IDLE
  }

  static final String ATTRIBUTE = HttpConnection.class.getName();

  private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);

  private final SocketChannel channel;
  private volatile long sinceNanos;
  private volatile Phase phase;
  private volatile @Nullable Response answer;
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

  /** Events are sent from here on, for as long as their reader stays: no time limit holds. */
  public static void answerHasNoEnd(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof HttpConnection connection) {
      connection.enter(Phase.STREAM, System.nanoTime());
    }
  }

  /**
   * A complete head has come.
   *
   * @param next {@code BODY} or {@code ANSWER}
   */
  void headIsComplete(Phase next, Response answer, long nanoTime) {
    this.answer = answer;
    enter(next, nanoTime);
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

  /**
   * Whether it may end so that another one gets its place: no complete request waits for its
   * answer, or its caller has taken longer than this to read the answer.
   */
  boolean givesWay(Duration slow, long nanoTime) {
    return switch (phase) {
      case HEAD, BODY, IDLE -> true;
      case ANSWER -> sendingNanos(nanoTime) > slow.toNanos();
      case STREAM -> false;
    };
  }

  /** Whether its caller takes longer than it may, to send a request or to read the answer. */
  boolean isLate(Duration headTime, Duration bodyTime, Duration answerTime, long nanoTime) {
    return switch (phase) {
      case HEAD -> age(nanoTime) > headTime.toNanos();
      case BODY -> age(nanoTime) > bodyTime.toNanos();
      case ANSWER -> sendingNanos(nanoTime) > answerTime.toNanos();
      case STREAM, IDLE -> false;
    };
  }

  /** Whether its caller has been sending, or reading, for longer than this. */
  boolean isSlow(Duration time, long nanoTime) {
    return isLate(time, time, time, nanoTime);
  }

  /** How long the answer has been on its way; 0 while it is awaited. */
  private long sendingNanos(long nanoTime) {
    Response current = answer;
    // The time is written before what tells that there is one.
    return current != null && current.isCommitted() ? nanoTime - current.getCommitTimeNanos() : 0;
  }

  /** How long it has been at what it is at. */
  long age(long nanoTime) {
    return nanoTime - sinceNanos;
  }

  boolean isCut() {
    return cut;
  }

  /**
   * Ends the caller's side, so that the thread that serves the connection meets an end or an error,
   * and closes it: to close it from here would take its buffers from under that thread. Of an
   * answer that is not read, nothing is left to the system to send.
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
