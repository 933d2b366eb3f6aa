package org.keywell.kmip.object;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.Attribute.Change;
import org.keywell.kmip.table.Attribute.SetBy;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.Value;

/**
 * What clients may do to the attributes of an object that exists. Each method throws {@link
 * KmipException} if they may not.
 */
public final class AttributeRules {

  private AttributeRules() {}

  /** Checks that such objects can have an attribute. */
  public static void checkApplies(AttributeName name, ObjectType type, ProtocolVersion version) {
    if (name instanceof AttributeName.Standard(Attribute attribute)
        && !attribute.appliesTo(type.label(), version)) {
      throw new KmipException("InvalidAttribute", "%s has no %s".formatted(type.label(), name));
    }
  }

  /** Attributes that protect a key, with the value that is never taken back. */
  private static final Map<AttributeName, Value> ONE_WAY =
      Map.of(
          Attributes.named("Sensitive"), new Value.Bool(true),
          Attributes.named("Extractable"), new Value.Bool(false));

  /** Checks that a client may give a new object, or add to one, an attribute of this name. */
  public static void checkGiven(AttributeName name) {
    if (name instanceof AttributeName.Vendor vendor && vendor.isServers()) {
      throw readOnly(name);
    }
  }

  /**
   * Checks that clients may give an attribute this value, whether it has one or not: nobody lifts
   * the protection of a key.
   */
  public static void checkChange(AttributeName name, Value value, ManagedObject object) {
    Value last = ONE_WAY.get(name);
    if (last != null && last.equals(object.attributes().first(name)) && !last.equals(value)) {
      throw new KmipException("PermissionDenied", name + " is not taken back");
    }
  }

  /** Checks that clients may add a value. */
  public static void checkAdd(AttributeName name, ManagedObject object, Instant now) {
    checkGiven(name);
    if (name instanceof AttributeName.Standard(Attribute attribute)
        && attribute.setBy() == SetBy.SERVER) {
      throw readOnly(name);
    }
    // What is set once, and never changes, may still be set late.
    check(
        name,
        each -> each.clientModifies() == Change.NEVER ? Change.ALWAYS : each.clientModifies(),
        object,
        now);
  }

  /** Checks that clients may replace a value. */
  public static void checkModify(AttributeName name, ManagedObject object, Instant now) {
    check(name, Attribute::clientModifies, object, now);
  }

  /** Checks that clients may delete a value. */
  public static void checkDelete(AttributeName name, ManagedObject object, Instant now) {
    check(name, Attribute::clientDeletes, object, now);
  }

  private static void check(
      AttributeName name, Function<Attribute, Change> rule, ManagedObject object, Instant now) {
    Change allowed =
        switch (name) {
          case AttributeName.Vendor vendor -> vendor.isServers() ? Change.NEVER : Change.ALWAYS;
          case AttributeName.Standard(Attribute attribute) -> rule.apply(attribute);
        };
    State state = object.state();
    boolean may =
        switch (allowed) {
          case ALWAYS -> true;
          case NEVER -> throw readOnly(name);
          case PRE_ACTIVE -> state == State.PRE_ACTIVE;
          case ACTIVE ->
              (state == State.PRE_ACTIVE || state == State.ACTIVE)
                  && !object.attributes().isReached(name, now);
          case UNALLOCATED -> isUnallocated(object.attributes());
        };
    if (!may) {
      throw new KmipException(
          "WrongKeyLifecycleState",
          "%s is fixed in the object's state %s".formatted(name, state.label()));
    }
  }

  private static boolean isUnallocated(Attributes attributes) {
    Value.Structure limits = attributes.first("Usage Limits", Value.Structure.class);
    Value count = null;
    Value total = null;
    for (Item each : limits == null ? List.<Item>of() : limits.items()) {
      count = each.tag() == Tag.named("UsageLimitsCount").number() ? each.value() : count;
      total = each.tag() == Tag.named("UsageLimitsTotal").number() ? each.value() : total;
    }
    return count == null || count.equals(total);
  }

  private static KmipException readOnly(AttributeName name) {
    return new KmipException("ReadOnlyAttribute", "clients do not change " + name);
  }
}
