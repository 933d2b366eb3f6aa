package org.keywell.keypool.hsm.pkcs11;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sessions of one {@link Opening}: those that own the unwrapped keys, and those that do the
 * rest. They are lost once, and never found again.
 *
 * <p>A working session that is gone by itself is replaced when it is next needed. Gone with an
 * owning session, or with the login that all of them share, is all of it. Thread-safe.
 */
final class Sessions {
  private static final Logger log = LoggerFactory.getLogger(Sessions.class);

  private final Functions functions;
  private final long slotId;
  // Whoever closes the session that made a key destroys that key. So few sessions make all that
  // are unwrapped, whichever thread asked, and another use of them is not to put these at risk.
  private final SessionPool owner;
  private final int owners;
  private final SessionPool workers;
  private final AtomicBoolean lost = new AtomicBoolean();
  private final Consumer<String> onLoss;

  /** Each of them, while nobody used it. */
  private volatile boolean closed;

  /**
   * @param owners those that unwrap, at least one
   * @param workers the others, at least one
   * @param onLoss is told why, once, on the thread that noticed; must not throw
   */
  Sessions(
      Functions functions,
      long slotId,
      List<Session> owners,
      List<Session> workers,
      Consumer<String> onLoss) {
    this.functions = functions;
    this.slotId = slotId;
    this.owner = pool(owners, "unwrapSessions");
    this.owners = owners.size();
    this.workers = pool(workers, "maxSessions");
    this.onLoss = onLoss;
  }

  private static SessionPool pool(List<Session> sessions, String limit) {
    return new SessionPool(sessions, limit, SessionPool.MAX_WAIT);
  }

  boolean areLost() {
    return lost.get();
  }

  /** From now on no call begins. */
  void lose(String why) {
    if (lost.compareAndSet(false, true)) {
      stop();
      onLoss.accept(why);
    }
  }

  private void stop() {
    owner.stop();
    workers.stop();
  }

  /**
   * All sessions that are open, after their loss, once no call uses one; empty if one still does at
   * the end of that time.
   */
  Optional<List<Session>> awaitAll(Duration maxWait) {
    if (closed) {
      return Optional.of(List.of());
    }
    long began = System.nanoTime();
    Optional<List<Session>> owning = owner.awaitAll(maxWait);
    Optional<List<Session>> working =
        workers.awaitAll(maxWait.minusNanos(System.nanoTime() - began));
    if (owning.isEmpty() || working.isEmpty()) {
      return Optional.empty();
    }
    List<Session> all = new ArrayList<>(owning.get());
    all.addAll(working.get());
    return Optional.of(all);
  }

  /**
   * Closes the sessions; those in use close when they are given back.
   *
   * @return whether none was in use
   */
  boolean close() {
    stop();
    boolean unused = awaitAll(Duration.ZERO).isPresent();
    workers.close();
    owner.close();
    if (unused) {
      closed = true;
    }
    return unused;
  }

  /** How many of them own keys. */
  int owners() {
    return owners;
  }

  /** Does something in the owning session that is free for the longest time. */
  <T> T onOwner(Function<Session, T> work) {
    Session session = owner.borrow();
    try {
      return work.apply(session);
    } catch (HsmException e) {
      if (ReturnValue.isOfSession(e.returnValue())) {
        session.gone();
      }
      if (session.isGone() || ReturnValue.isOfAllSessions(e.returnValue())) {
        lose(String.valueOf(e.getMessage()));
      }
      throw e;
    } finally {
      owner.giveBack(session);
    }
  }

  /** Does something in a working session, and once more in a new one if that one is gone. */
  <T> T onWorker(Function<Session, T> work) {
    Session session = borrow();
    try {
      for (boolean again = true; ; again = false) {
        try {
          return work.apply(session);
        } catch (HsmException e) {
          failed(session, e);
          if (!again || !session.isGone()) {
            throw e;
          }
        }
        session = replaced(session);
      }
    } finally {
      giveBack(session);
    }
  }

  /** A working session for the caller alone, to be given back in any case. */
  Session borrow() {
    Session session = workers.borrow();
    if (!session.isGone()) {
      return session;
    }
    try {
      return replaced(session);
    } catch (RuntimeException e) {
      giveBack(session);
      throw e;
    }
  }

  /**
   * A new session in the place of one that is gone: it is the one to be given back. It shares the
   * login of the others, unless they are all gone.
   *
   * @throws HsmException if none can be opened; the one that is gone is still to be given back
   */
  Session replaced(Session gone) {
    Session young;
    try {
      young = Session.open(functions, slotId);
    } catch (HsmException e) {
      failed(gone, e);
      throw e;
    }
    try {
      young.requireUserLoggedIn();
      // INVARIANT: the login is the one that the handles of this opening belong to. Whoever logs in
      // after it was gone says so before.
      if (areLost()) {
        throw new HsmException(Reason.SESSION_LOST, "the HSM's sessions were lost");
      }
    } catch (HsmException e) {
      failed(young, e);
      young.close();
      throw e;
    }
    log.info("a session that was gone is replaced by a new one");
    return young;
  }

  void giveBack(Session session) {
    workers.giveBack(session);
  }

  /** To be told of each failure in a working session, before it is given back. */
  void failed(Session session, HsmException failure) {
    if (ReturnValue.isOfSession(failure.returnValue())) {
      session.gone();
    }
    if (ReturnValue.isOfAllSessions(failure.returnValue())) {
      lose(String.valueOf(failure.getMessage()));
    }
  }
}
