package org.keywell.service.kmip;

import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.State;
import org.keywell.kmip.store.ObjectStore;

/** Ends managed objects again that a restored database has brought back. Thread-safe. */
public final class ObjectEnds {

  /** What the database says of the end of an object. */
  public enum Found {
    STANDS,
    LOST,
    /** It has no such object. */
    UNKNOWN
  }

  private final ObjectStore store;

  /**
   * @param instance names this one in the log
   */
  public ObjectEnds(DataSource dataSource, String instance) {
    this.store = new ObjectStore(dataSource, instance);
  }

  /** Looks for the effect of {@code Revoke} or {@code Destroy}. */
  public Found compare(String operation, String owner, UUID id) {
    try {
      State state = store.require(owner, id).state();
      boolean stands =
          state.isDestroyed()
              || (operation.equals("Revoke") && state != State.PRE_ACTIVE && state != State.ACTIVE);
      return stands ? Found.STANDS : Found.LOST;
    } catch (KmipException e) {
      return Found.UNKNOWN;
    }
  }

  /**
   * Ends it again, with the entry in the log. The log has no reason of a revocation, so one for
   * compromise becomes one without a reason; what has not been active becomes compromised, since
   * nothing else could revoke it.
   *
   * @param at when it was ended first
   */
  public void again(String operation, String owner, UUID id, Instant at) {
    ManagedObject _ =
        store.change(
            operation,
            owner,
            id,
            before -> operation.equals("Destroy") ? destroyed(before, at) : revoked(before, at));
  }

  private static ManagedObject revoked(ManagedObject before, Instant at) {
    return switch (before.state()) {
      case PRE_ACTIVE -> before.in(State.COMPROMISED).stamped("Compromise Date", at);
      case ACTIVE -> before.in(State.DEACTIVATED).stamped("Deactivation Date", at);
      default -> before;
    };
  }

  private static ManagedObject destroyed(ManagedObject before, Instant at) {
    if (before.state().isDestroyed()) {
      return before;
    }
    ManagedObject ended = before.state() == State.ACTIVE ? revoked(before, at) : before;
    return ended.destroyed().stamped("Destroy Date", at);
  }
}
