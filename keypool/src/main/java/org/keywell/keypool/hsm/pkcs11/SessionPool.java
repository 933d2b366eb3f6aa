package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * Open sessions, each used by one thread at a time, in turn. They stay open until {@link #close}:
 * closing one would destroy the keys that it created. Thread-safe.
 */
final class SessionPool implements AutoCloseable {
  /** How long a caller waits for a session before it is refused. */
  static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private final BlockingQueue<Session> idle;
  private final int size;
  private final String limit;
  private final long maxWaitNanos;
  private volatile boolean stopped;
  private volatile boolean closed;

  /**
   * @param sessions at least one; owned by this pool from now on
   * @param limit the setting that bounds their number, for messages
   */
  SessionPool(List<Session> sessions, String limit, Duration maxWait) {
    this.idle = new ArrayBlockingQueue<>(sessions.size(), false, sessions);
    this.size = sessions.size();
    this.limit = limit;
    this.maxWaitNanos = maxWait.toNanos();
  }

  /**
   * Lends the caller a session exclusively; the caller must always {@link #giveBack give it back}.
   *
   * @throws HsmException with {@link Reason#EXHAUSTED}, naming the limit, if none is free in time;
   *     with {@link Reason#INTERRUPTED} if the thread is interrupted while it waits; with {@link
   *     Reason#SESSION_LOST} after {@link #stop}
   */
  Session borrow() {
    requireRunning();
    @Nullable Session session = idle.poll();
    if (session == null) {
      session = await();
    }
    if (stopped) {
      giveBack(session);
      requireRunning();
    }
    return session;
  }

  private Session await() {
    @Nullable Session session;
    try {
      session = idle.poll(maxWaitNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HsmException(Reason.INTERRUPTED, "interrupted while waiting for a session", e);
    }
    if (session == null) {
      requireRunning();
      throw new HsmException(
          Reason.EXHAUSTED,
          "no session free within "
              + Duration.ofNanos(maxWaitNanos).toMillis()
              + " ms; limit: "
              + limit
              + " = "
              + size);
    }
    return session;
  }

  private void requireRunning() {
    if (stopped) {
      throw new HsmException(
          Reason.SESSION_LOST, closed ? "the HSM was closed" : "the HSM's sessions were lost");
    }
  }

  /** Takes back a session from {@link #borrow}, or one opened in its place. */
  void giveBack(Session session) {
    idle.add(session);
    if (closed) {
      closeIdle();
    }
  }

  /** Stops lending sessions. Those in use stay so. */
  void stop() {
    stopped = true;
  }

  /**
   * Returns all sessions once none is in use. Call it after {@link #stop}.
   *
   * @return empty if one is still in use at the end of that time
   */
  Optional<List<Session>> awaitAll(Duration maxWait) {
    long deadline = System.nanoTime() + maxWait.toNanos();
    List<Session> back = new ArrayList<>();
    try {
      while (back.size() < size) {
        @Nullable Session session = idle.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (session == null) {
          return Optional.empty();
        }
        back.add(session);
      }
      return Optional.of(back);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HsmException(Reason.INTERRUPTED, "interrupted while waiting for calls to end", e);
    } finally {
      idle.addAll(back);
    }
  }

  /**
   * Closes the sessions without waiting: those in use close when they are given back. Does nothing
   * the second time.
   */
  @Override
  public void close() {
    closed = true;
    stopped = true;
    closeIdle();
  }

  private void closeIdle() {
    for (@Nullable Session session = idle.poll(); session != null; session = idle.poll()) {
      session.close();
    }
  }
}
