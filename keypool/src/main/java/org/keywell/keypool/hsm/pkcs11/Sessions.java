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
 * rest. Once lost, they stay lost.
 *
 * <p>If only a working session is gone, it is replaced when it is next needed. So is one in which
 * an operation may still be active: it is closed. If an owning session or the shared login is gone,
 * all sessions are lost. Thread-safe.
 */
final class Sessions {
  private static final Logger log = LoggerFactory.getLogger(Sessions.class);

  private final Functions functions;
  private final long slotId;
  // Closing the session that made a key destroys that key. So a few sessions make all unwrapped
  // keys, for all threads, and no other use puts these sessions at risk.
  private final SessionPool owner;
  private final int owners;
  private final SessionPool workers;
  private final AtomicBoolean lost = new AtomicBoolean();
  private final Consumer<String> onLoss;

  /** Whether all of them were closed while unused. */
  private volatile boolean closed;

  /**
   * @param owners those that unwrap, at least one
   * @param workers the others, at least one
   * @param onLoss receives the reason, once, on the thread that noticed; must not throw
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

  /** Records the loss: from now on no call starts. */
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
   * Returns all open sessions, after their loss, once no call uses one; empty if one still does at
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

  /** Returns how many of them own keys. */
  int owners() {
    return owners;
  }

  /** Runs work in the owning session that has been free longest. */
  <T> T onOwner(Function<Session, T> work) {
    Session session = owner.borrow();
    try {
      return work.apply(session);
    } catch (HsmException e) {
      if (ReturnValue.isOfSession(e.returnValue())) {
        session.gone();
      }
      if (session.isGone()
          || ReturnValue.isOfAllSessions(e.returnValue())
          // The module takes no further call in it, and closing it would destroy its keys.
          || ReturnValue.CKR_OPERATION_ACTIVE.is(e.returnValue())) {
        lose(String.valueOf(e.getMessage()));
      }
      throw e;
    } finally {
      owner.giveBack(session);
    }
  }

  /** Runs work in a working session, and again in a new one if the first is gone. */
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

  /** Lends the caller a working session exclusively; the caller must always give it back. */
  Session borrow() {
    Session session = workers.borrow();
    session.closeIfOperating();
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
   * Opens a session to replace one that is gone; the caller gives back the new one. It shares the
   * login of the others, unless they are all gone.
   *
   * @throws HsmException if none can be opened; the caller then gives back the one that is gone
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
      // INVARIANT: the login is the one that the handles of this opening belong to. Anyone who logs
      // in after its loss reports the loss first.
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

  /** Records a failure in a working session. Call it for each, before the session is given back. */
  void failed(Session session, HsmException failure) {
    if (ReturnValue.isOfSession(failure.returnValue())) {
      session.gone();
    } else if (ReturnValue.CKR_OPERATION_ACTIVE.is(failure.returnValue())) {
      session.discard();
    }
    if (ReturnValue.isOfAllSessions(failure.returnValue())) {
      lose(String.valueOf(failure.getMessage()));
    }
  }
}
