package org.keywell.kmip.operation;

import java.time.Instant;
import org.keywell.kmip.object.Attributes;
import org.keywell.kmip.object.ManagedObject;
import org.keywell.kmip.object.State;
import org.keywell.kmip.ttlv.Value;

/** Dates that change an object's state when they are reached (KMIP, section "State"). */
final class Dates {

  private Dates() {}

  /** Returns the object in the state that its dates give it now. */
  static ManagedObject at(ManagedObject object, Instant now) {
    ManagedObject active =
        object.state() == State.PRE_ACTIVE && isReached(object, "Activation Date", now)
            ? object.in(State.ACTIVE)
            : object;
    return active.state() == State.ACTIVE && isReached(active, "Deactivation Date", now)
        ? active.in(State.DEACTIVATED)
        : active;
  }

  /** Whether a date is set and not after now. */
  static boolean isReached(ManagedObject object, String name, Instant now) {
    return object.attributes().first(Attributes.named(name)) instanceof Value.DateTime date
        && date.seconds() <= now.getEpochSecond();
  }

  /** Whether a date is set and after now. */
  static boolean isAhead(ManagedObject object, String name, Instant now) {
    return object.attributes().first(Attributes.named(name)) != null
        && !isReached(object, name, now);
  }

  /** Returns the object with a date that is now. */
  static ManagedObject stamped(ManagedObject object, String name, Instant now) {
    return object.with(object.attributes().set(Attributes.named(name), now(now)));
  }

  static Value now(Instant now) {
    return new Value.DateTime(now.getEpochSecond());
  }
}
