package org.keywell.kmip.object;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.ttlv.Value;

/**
 * The attributes of an object, in the order in which they were added. Immutable. A value of an
 * attribute that may have several has an index: 0 for the first one, then one more than the highest
 * that is there; deletions leave gaps. The value of any other attribute has none.
 *
 * <p>Names that are texts are the specification's, as KMIP 1.x spells them, like {@code
 * Cryptographic Length}; any other is an {@link IllegalArgumentException}.
 */
public record Attributes(List<AttributeValue> all) {

  public static final Attributes NONE = new Attributes(List.of());

  public static final AttributeName UNIQUE_IDENTIFIER = named("Unique Identifier");
  public static final AttributeName OBJECT_TYPE = named("Object Type");
  public static final AttributeName STATE = named("State");

  /** Takes values with the indices that they have. */
  public Attributes {
    all = List.copyOf(all);
  }

  /** Returns the name of an attribute of the specification. */
  public static AttributeName named(String name) {
    Attribute attribute = Attribute.named(name);
    if (attribute == null) {
      throw new IllegalArgumentException("no attribute: " + name);
    }
    return new AttributeName.Standard(attribute);
  }

  /** Returns the values of an attribute, with their indices. */
  public List<AttributeValue> get(AttributeName name) {
    return all.stream().filter(each -> each.name().equals(name)).toList();
  }

  /** Returns the first value of an attribute; null if there is none. */
  public @Nullable Value first(AttributeName name) {
    List<AttributeValue> values = get(name);
    return values.isEmpty() ? null : values.getFirst().value();
  }

  public boolean has(String name) {
    return first(named(name)) != null;
  }

  /** Returns the first value of an attribute; null if there is none of this type. */
  public <T extends Value> @Nullable T first(String name, Class<T> type) {
    Value value = first(named(name));
    return type.isInstance(value) ? type.cast(value) : null;
  }

  /** Returns an integer; 0 if there is none. */
  public int number(String name) {
    return first(named(name)) instanceof Value.Int(int number) ? number : 0;
  }

  /** Returns the name of an enumeration's value; null if there is none, or it is an extension. */
  public @Nullable String choice(String name) {
    if (named(name) instanceof AttributeName.Standard(Attribute attribute)
        && first(named(name)) instanceof Value.Enumerated(int bits)) {
      String enumeration = String.valueOf(attribute.tag().enumeration());
      var named = Enumerations.valued(enumeration, bits, ProtocolVersion.V2_1);
      return named == null ? null : named.name();
    }
    return null;
  }

  public boolean contains(AttributeName name, Value value) {
    return get(name).stream().anyMatch(each -> each.value().equals(value));
  }

  /** Tells whether a date is there and not after now. */
  public boolean isReached(AttributeName name, Instant now) {
    return first(name) instanceof Value.DateTime(long seconds) && seconds <= now.getEpochSecond();
  }

  /**
   * Adds a value.
   *
   * @throws KmipException if the attribute may have one value only, and has it
   */
  public Attributes add(AttributeName name, Value value) {
    List<AttributeValue> values = get(name);
    if (!isMultiple(name) && !values.isEmpty()) {
      throw new KmipException("AttributeSingleValued", name + " may have one value only");
    }
    Integer index = null;
    if (isMultiple(name)) {
      index = values.stream().mapToInt(Attributes::indexOf).max().orElse(-1) + 1;
    }
    List<AttributeValue> more = new ArrayList<>(all);
    more.add(new AttributeValue(name, index, value));
    return new Attributes(more);
  }

  /**
   * Gives an attribute its only value, whether it had one or not.
   *
   * @throws KmipException if the attribute may have several
   */
  public Attributes set(AttributeName name, Value value) {
    requireSingle(name);
    return get(name).isEmpty() ? add(name, value) : modify(name, null, value);
  }

  /** As {@link #set(AttributeName, Value)}; in the place of all values of a vendor's attribute. */
  public Attributes put(AttributeName name, Value value) {
    return name instanceof AttributeName.Vendor
        ? without(each -> each.name().equals(name)).add(name, value)
        : set(name, value);
  }

  /** As {@link #set(AttributeName, Value)}. */
  public Attributes set(String name, Value value) {
    return set(named(name), value);
  }

  /**
   * Refuses to set what has no only value.
   *
   * @throws KmipException if the attribute may have several values
   */
  public static void requireSingle(AttributeName name) {
    if (isMultiple(name)) {
      throw new KmipException("MultiValuedAttribute", name + " may have several values");
    }
  }

  /**
   * Replaces a value, which keeps its place and index.
   *
   * @param index null for the first one, which has the index 0
   * @throws KmipException if there is none
   */
  public Attributes modify(AttributeName name, @Nullable Integer index, Value value) {
    AttributeValue former = at(name, index);
    return new Attributes(
        all.stream()
            .map(each ->
                each.equals(former) ? new AttributeValue(name, former.index(), value) : each)
            .toList());
  }

  /**
   * Deletes one value.
   *
   * @param index null for the first one, which has the index 0
   * @throws KmipException if there is none
   */
  public Attributes delete(AttributeName name, @Nullable Integer index) {
    AttributeValue former = at(name, index);
    return without(each -> each.equals(former));
  }

  /**
   * Deletes all values of an attribute.
   *
   * @throws KmipException if there are none
   */
  public Attributes deleteAll(AttributeName name) {
    required(name);
    return without(each -> each.name().equals(name));
  }

  /** Returns the attributes without some of their values. */
  public Attributes without(Predicate<AttributeValue> gone) {
    return new Attributes(all.stream().filter(gone.negate()).toList());
  }

  /**
   * Returns the index of a value, for clients that name the value instead; null if the attribute
   * may have one value only.
   *
   * @throws KmipException if the attribute does not have it
   */
  public @Nullable Integer find(AttributeName name, Value value) {
    return one(name, each -> each.value().equals(value)).index();
  }

  private AttributeValue at(AttributeName name, @Nullable Integer index) {
    int wanted = Objects.requireNonNullElse(index, 0);
    return one(name, each -> indexOf(each) == wanted);
  }

  private List<AttributeValue> required(AttributeName name) {
    List<AttributeValue> values = get(name);
    if (values.isEmpty()) {
      throw new KmipException("AttributeNotFound", "the object does not have " + name);
    }
    return values;
  }

  private AttributeValue one(AttributeName name, Predicate<AttributeValue> wanted) {
    return required(name).stream()
        .filter(wanted)
        .findFirst()
        .orElseThrow(() ->
            new KmipException(
                "AttributeInstanceNotFound", "the object does not have this value of " + name));
  }

  /** Tells whether an object may have several values of it; of what clients name, it may. */
  public static boolean isMultiple(AttributeName name) {
    return !(name instanceof AttributeName.Standard(Attribute attribute)) || attribute.multiple();
  }

  private static int indexOf(AttributeValue value) {
    return Objects.requireNonNullElse(value.index(), 0);
  }

  /**
   * Returns the form in which they are stored.
   *
   * @throws KmipException if it would be longer than {@link StoredAttributes#MOST_BYTES}
   */
  public byte[] encode() {
    return StoredAttributes.encode(all);
  }

  /**
   * Returns what {@link #encode} has encoded.
   *
   * @throws IllegalArgumentException if these bytes are something else
   */
  public static Attributes decode(byte[] encoded) {
    return StoredAttributes.decode(encoded);
  }
}
