package org.keywell.kmip.server;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a connection is doing, and how long it may take. Ends it from outside by closing its socket,
 * below TLS: whatever waits in the connection then fails at once. Thread-safe.
 */
final class Occupation {

  private final Socket socket;
  private final LongSupplier nanoClock;
  private boolean inRequest;
  private boolean ending;
  private boolean cut;
  private long sinceNanos;
  private @Nullable Duration limit;

  Occupation(Socket socket, LongSupplier nanoClock) {
    this.socket = socket;
    this.nanoClock = nanoClock;
  }

  /**
   * Goes on to something else, outside of a request.
   *
   * @return false if the connection is to end instead
   */
  synchronized boolean await(Duration limit) {
    return enter(false, limit) && !ending;
  }

  /**
   * Goes on to something else, within a request.
   *
   * @param limit null: what is done has limits of its own
   * @return false if the connection has been cut
   */
  synchronized boolean work(@Nullable Duration limit) {
    return enter(true, limit);
  }

  private boolean enter(boolean inRequest, @Nullable Duration limit) {
    this.inRequest = inRequest;
    this.limit = limit;
    this.sinceNanos = nanoClock.getAsLong();
    return !cut;
  }

  /** Ends the connection now, or once the request that it is in has its answer. */
  synchronized void endAfterRequest() {
    ending = true;
    if (!inRequest) {
      cut();
    }
  }

  /** Ends the connection if it takes too long. */
  synchronized void cutIfLate() {
    if (limit != null && nanoClock.getAsLong() - sinceNanos > limit.toNanos()) {
      cut();
    }
  }

  synchronized void cut() {
    cut = true;
    try {
      socket.close();
    } catch (IOException e) {
      // There is nothing left to close.
    }
  }
}
