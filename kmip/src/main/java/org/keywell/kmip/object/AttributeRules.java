package org.keywell.kmip.object;

import java.time.Instant;
import org.keywell.kmip.message.AttributeName;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.Attribute.Change;
import org.keywell.kmip.table.Attribute.SetBy;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * What clients may do to the attributes of an object that exists. Each method throws {@link
 * KmipException} if they may not.
 */
public final class AttributeRules {

  private static final int COUNT = Tag.named("UsageLimitsCount").number();
  private static final int TOTAL = Tag.named("UsageLimitsTotal").number();

  private AttributeRules() {}

  /** Checks that clients may add a value. */
  public static void checkAdd(AttributeName name, ManagedObject object, Instant now) {
    switch (name) {
      case AttributeName.Vendor vendor -> checkNotServers(vendor);
      case AttributeName.Standard(Attribute attribute) -> {
        if (attribute.setBy() == SetBy.SERVER) {
          throw readOnly(name);
        }
        // What is set once, and never changes, may still be set late.
        if (attribute.clientModifies() != Change.NEVER) {
          check(attribute.clientModifies(), name, object, now);
        }
      }
    }
  }

  /** Checks that clients may replace a value. */
  public static void checkModify(AttributeName name, ManagedObject object, Instant now) {
    switch (name) {
      case AttributeName.Vendor vendor -> checkNotServers(vendor);
      case AttributeName.Standard(Attribute attribute) ->
          check(attribute.clientModifies(), name, object, now);
    }
  }

  /** Checks that clients may delete a value. */
  public static void checkDelete(AttributeName name, ManagedObject object, Instant now) {
    switch (name) {
      case AttributeName.Vendor vendor -> checkNotServers(vendor);
      case AttributeName.Standard(Attribute attribute) ->
          check(attribute.clientDeletes(), name, object, now);
    }
  }

  private static void checkNotServers(AttributeName.Vendor name) {
    if (name.vendor().equals("y")) {
      throw readOnly(name);
    }
  }

  private static void check(Change allowed, AttributeName name, ManagedObject object, Instant now) {
    State state = object.state();
    boolean may =
        switch (allowed) {
          case ALWAYS -> true;
          case NEVER -> throw readOnly(name);
          case PRE_ACTIVE -> state == State.PRE_ACTIVE;
          case ACTIVE ->
              (state == State.PRE_ACTIVE || state == State.ACTIVE)
                  && !isReached(name, object.attributes(), now);
          case UNALLOCATED -> isUnallocated(object.attributes());
        };
    if (!may) {
      throw new KmipException(
          ResultReason.named("WrongKeyLifecycleState"),
          "%s is fixed in the object's state %s".formatted(name, state.label()));
    }
  }

  private static boolean isReached(AttributeName name, Attributes attributes, Instant now) {
    return attributes.first(name) instanceof Value.DateTime(long seconds)
        && seconds <= now.getEpochSecond();
  }

  private static boolean isUnallocated(Attributes attributes) {
    Value.Structure limits = attributes.first("Usage Limits", Value.Structure.class);
    if (limits == null) {
      return true;
    }
    Value count = null;
    Value total = null;
    for (Item each : limits.items()) {
      count = each.tag() == COUNT ? each.value() : count;
      total = each.tag() == TOTAL ? each.value() : total;
    }
    return count == null || count.equals(total);
  }

  private static KmipException readOnly(AttributeName name) {
    return new KmipException(
        ResultReason.named("ReadOnlyAttribute"), "clients do not change " + name);
  }
}
