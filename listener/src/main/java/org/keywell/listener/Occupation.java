package org.keywell.listener;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a connection is doing, and how long it may take. Ends it from outside by closing its socket,
 * below TLS: whatever waits in the connection then fails at once. Thread-safe.
 */
public final class Occupation implements Guest {

  private final Socket socket;
  private final LongSupplier nanoClock;
  private final Origin origin;
  private final long openedNanos;
  private volatile boolean proven;
  private boolean inRequest;
  private boolean ending;
  private boolean cut;
  private long sinceNanos;
  private @Nullable Duration limit;
  private @Nullable Runnable substitute;

  Occupation(Socket socket, LongSupplier nanoClock) {
    this.socket = socket;
    this.nanoClock = nanoClock;
    this.origin = Origin.of(socket.getInetAddress());
    this.openedNanos = nanoClock.getAsLong();
  }

  @Override
  public Origin origin() {
    return origin;
  }

  /** Until its client has proven who it is, a connection keeps the service waiting. */
  @Override
  public Guest.@Nullable Wait waiting() {
    return proven ? null : new Wait(false, openedNanos);
  }

  /**
   * Notes that the client has proven who it is: from now on, nobody takes its place. Until then,
   * the connection may be cut to make room.
   */
  public void proven() {
    proven = true;
  }

  /**
   * Goes on to something else, outside of a request.
   *
   * @return false if the connection is to end instead
   */
  public synchronized boolean await(Duration limit) {
    return enter(false, limit) && !ending;
  }

  /**
   * Goes on to something else, within a request.
   *
   * @param limit null: what is done has limits of its own
   * @return false if the connection has been cut
   */
  public synchronized boolean work(@Nullable Duration limit) {
    return enter(true, limit);
  }

  /**
   * Goes on to what may take too long without an end, such as a call of a device. {@link
   * #completed} ends it.
   *
   * @param sinceNanos when the limit began
   * @param substitute does, once, what is done if it takes longer, and cuts the connection; runs on
   *     a virtual thread
   */
  public synchronized void work(long sinceNanos, Duration limit, Runnable substitute) {
    enter(true, limit);
    this.sinceNanos = sinceNanos;
    this.substitute = substitute;
  }

  /**
   * Ends what {@link #work(long, Duration, Runnable)} began.
   *
   * @param patience how long to wait for the substitute, if that has begun
   * @return false if the connection has been cut
   */
  public synchronized boolean completed(Duration patience) {
    if (substitute != null) {
      substitute = null;
      limit = null;
      return !cut;
    }
    long end = System.nanoTime() + patience.toNanos();
    try {
      for (long left = patience.toNanos(); !cut && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Whether no further request is to be read. */
  public synchronized boolean isEnding() {
    return ending;
  }

  private boolean enter(boolean inRequest, @Nullable Duration limit) {
    this.substitute = null;
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

  /** Ends the connection if it takes too long, or has the substitute do so. */
  synchronized void cutIfLate() {
    if (limit == null || nanoClock.getAsLong() - sinceNanos <= limit.toNanos()) {
      return;
    }
    if (substitute == null) {
      cut();
      return;
    }
    // A client that reads nothing must not hold up the watch.
    Thread.startVirtualThread(substitute);
    substitute = null;
    limit = null;
  }

  /** Ends the connection now. */
  public synchronized void cut() {
    cut = true;
    notifyAll();
    try {
      socket.close();
    } catch (IOException e) {
      // There is nothing left to close.
    }
  }
}
