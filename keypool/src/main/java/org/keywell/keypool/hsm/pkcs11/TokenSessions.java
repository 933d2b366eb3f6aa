package org.keywell.keypool.hsm.pkcs11;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.hsm.HsmException;

/**
 * Sessions beside those of an {@link Opening}, whose login they share. One is opened whenever all
 * others are in use, and stays open: closing one takes time in proportion to the objects in the
 * token, and destroys keys that were made in it. So callers bound how many there are. Thread-safe.
 *
 * <p>INVARIANT: not used after {@code C_Finalize}: the sessions' numbers may be others' then.
 */
final class TokenSessions {
  private final Functions functions;
  private final long slotId;
  private final Deque<Session> idle = new ConcurrentLinkedDeque<>();

  TokenSessions(Functions functions, long slotId) {
    this.functions = functions;
    this.slotId = slotId;
  }

  long slotId() {
    return slotId;
  }

  /** Runs work in a session, and again in a new one if the first is gone or takes no call. */
  <T> T in(Function<Session, T> work) {
    @Nullable Session idleOne = idle.poll();
    Session session = idleOne == null ? Session.open(functions, slotId) : idleOne;
    for (boolean again = true; ; again = false) {
      try {
        return work.apply(session);
      } catch (HsmException e) {
        failed(session, e);
        if (!again || !session.isGone()) {
          throw e;
        }
      } finally {
        session.closeIfOperating();
        if (!session.isGone()) {
          idle.push(session);
        }
      }
      session = Session.open(functions, slotId);
    }
  }

  private static void failed(Session session, HsmException failure) {
    if (ReturnValue.isOfSession(failure.returnValue())) {
      session.gone();
    } else if (ReturnValue.CKR_OPERATION_ACTIVE.is(failure.returnValue())) {
      session.discard();
    }
  }

  /** Runs work in a session that can create and destroy token objects, opened for it. */
  <T> T inReadWrite(Function<Session, T> work) {
    try (Session session = Session.openReadWrite(functions, slotId)) {
      return work.apply(session);
    }
  }
}
