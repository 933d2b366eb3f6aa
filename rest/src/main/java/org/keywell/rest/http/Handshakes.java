package org.keywell.rest.http;

import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.keywell.listener.Origin;

/**
 * Gives TLS handshakes turns at the processor: a few at a time, and one address after the other
 * while more wait. So those who open connections faster than they can be authenticated hold up
 * themselves, not the callers that sign or come from elsewhere. A turn is for what has arrived of a
 * handshake; nobody holds one while it waits for the network. Thread-safe.
 */
public final class Handshakes {

  private final int atATime;

  /** Those who wait, by where they come from; the first has the next turn. */
  private final Map<Origin, Queue<Turn>> waiting = new LinkedHashMap<>();

  private int running;

  /**
   * @param atATime turns, at least 1
   */
  Handshakes(int atATime) {
    this.atATime = atATime;
  }

  /** Returns turns that leave half of the processors to those whose handshakes are done. */
  public static Handshakes onHalfOfTheProcessors() {
    return new Handshakes(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
  }

  /** A turn at the processor. The first {@link #close} ends it. */
  public final class Turn implements AutoCloseable {
    private final Semaphore given = new Semaphore(0);
    private boolean isMine;

    private Turn() {}

    @Override
    public void close() {
      synchronized (Handshakes.this) {
        if (isMine) {
          isMine = false;
          running--;
          giveNext();
        }
      }
    }
  }

  /**
   * Waits for a turn.
   *
   * @param limit by when the connection has been cut: what is left of it goes on without a turn
   */
  public Turn turn(InetAddress address, Duration limit) throws InterruptedException {
    Origin origin = Origin.of(address);
    Turn turn = new Turn();
    synchronized (this) {
      waiting.computeIfAbsent(origin, _ -> new ArrayDeque<>()).add(turn);
      giveNext();
    }
    boolean given = false;
    try {
      given = turn.given.tryAcquire(limit.toNanos(), TimeUnit.NANOSECONDS);
      return turn;
    } finally {
      if (!given) {
        giveUp(origin, turn);
      }
    }
  }

  /** Returns how many wait. */
  synchronized int waiting() {
    return waiting.values().stream().mapToInt(Queue::size).sum();
  }

  private synchronized void giveNext() {
    while (running < atATime && !waiting.isEmpty()) {
      Map.Entry<Origin, Queue<Turn>> first = waiting.entrySet().iterator().next();
      Queue<Turn> ofOrigin = first.getValue();
      Turn next = ofOrigin.remove();
      waiting.remove(first.getKey());
      if (!ofOrigin.isEmpty()) {
        waiting.put(first.getKey(), ofOrigin);
      }
      running++;
      next.isMine = true;
      next.given.release();
    }
  }

  private synchronized void giveUp(Origin origin, Turn turn) {
    if (turn.isMine) {
      turn.close();
    }
    waiting.computeIfPresent(
        origin,
        (_, ofOrigin) -> {
          ofOrigin.remove(turn);
          return ofOrigin.isEmpty() ? null : ofOrigin;
        });
  }
}
