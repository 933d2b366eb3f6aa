package org.keywell.kmip.object;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

  /** Grover's algorithm halves the bits of a key. */
  private static final int QUANTUM_SAFE_BITS = 256;

  private static final Set<Integer> CURVE_BITS = Set.of(256, 384, 521);

  /** Attributes that protect a key, with the value that is never taken back. */
  private static final Map<AttributeName, Value> ONE_WAY =
      Map.of(
          Attributes.named("Sensitive"), new Value.Bool(true),
          Attributes.named("Extractable"), new Value.Bool(false));

  /**
   * Attributes by which a server promises what this one does not do: limits, how long and how well
   * it protects a key, its rotation, where else its material is, and how it was made or served.
   */
  private static final Set<AttributeName> NOT_KEPT =
      Stream.of(
              "Fresh",
              "Key Value Location",
              "Protection Level",
              "Protection Period",
              "Random Number Generator",
              "Rotate Automatic",
              "Rotate Interval",
              "Rotate Name",
              "Rotate Offset",
              "Usage Limits")
          .map(Attributes::named)
          .collect(Collectors.toUnmodifiableSet());

  /** Objects of an earlier version may have some; a promise that is not kept is not shown. */
  public static boolean isKept(AttributeName name) {
    return !NOT_KEPT.contains(name);
  }

  /** Checks that a client may give a new object, or add to one, an attribute of this name. */
  public static void checkGiven(AttributeName name) {
    if (name instanceof AttributeName.Vendor vendor && vendor.isServers()) {
      throw readOnly(name);
    }
    if (!isKept(name)) {
      throw new KmipException("UnsupportedAttribute", name + " is not implemented");
    }
  }

  /** Checks that what the attributes of such an object say of it is so. */
  public static void checkTrue(ObjectType type, Attributes attributes) {
    int bits = attributes.number("Cryptographic Length");
    if (attributes.contains(Attributes.named("Quantum Safe"), new Value.Bool(true))
        && (type != ObjectType.SYMMETRIC_KEY || bits < QUANTUM_SAFE_BITS)) {
      throw untrue("Quantum Safe", "are symmetric keys of 256 bits or more");
    }
    var policy = attributes.first("Operation Policy Name", Value.Text.class);
    if (policy != null && !policy.value().equals("default")) {
      throw untrue("Operation Policy Name", "is the policy default");
    }
    var domain = attributes.first("Cryptographic Domain Parameters", Value.Structure.class);
    for (Item each : domain == null ? List.<Item>of() : domain.items()) {
      Value is =
          each.tag() == Tag.named("Qlength").number()
              ? new Value.Int(bits)
              : curve(attributes, bits);
      if (!each.value().equals(is)) {
        throw untrue("Cryptographic Domain Parameters", "are those of the key");
      }
    }
  }

  private static @Nullable Value curve(Attributes attributes, int bits) {
    String algorithm = attributes.choice("Cryptographic Algorithm");
    boolean ec = "EC".equals(algorithm) || "ECDSA".equals(algorithm) || "ECDH".equals(algorithm);
    return ec && CURVE_BITS.contains(bits)
        ? Tag.named("RecommendedCurve").item("P_" + bits).value()
        : null;
  }

  private static KmipException untrue(String name, String only) {
    return new KmipException("InvalidAttributeValue", name + ": the only ones here " + only);
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
          // Usage limits, which are not offered, are all that this is about.
          case NEVER, UNALLOCATED -> throw readOnly(name);
          case PRE_ACTIVE -> state == State.PRE_ACTIVE;
          case ACTIVE ->
              (state == State.PRE_ACTIVE || state == State.ACTIVE)
                  && !object.attributes().isReached(name, now);
        };
    if (!may) {
      throw new KmipException(
          "WrongKeyLifecycleState",
          "%s is fixed in the object's state %s".formatted(name, state.label()));
    }
  }

  private static KmipException readOnly(AttributeName name) {
    return new KmipException("AttributeReadOnly", "clients do not change " + name);
  }
}
