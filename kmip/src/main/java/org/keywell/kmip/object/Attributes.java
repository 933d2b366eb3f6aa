package org.keywell.kmip.object;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.AttributeName;
import org.keywell.kmip.message.AttributeValue;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.ttlv.Value;

/**
 * The attributes of an object, in the order in which they were added. Immutable. A value of an
 * attribute that may have several has an index: 0 for the first one, then one more than the highest
 * that is there; deletions leave gaps. The value of any other attribute has none.
 */
public final class Attributes {

  public static final Attributes NONE = new Attributes(List.of());

  public static final AttributeName UNIQUE_IDENTIFIER = named("Unique Identifier");
  public static final AttributeName OBJECT_TYPE = named("Object Type");
  public static final AttributeName STATE = named("State");

  private final List<AttributeValue> all;

  private Attributes(List<AttributeValue> all) {
    this.all = List.copyOf(all);
  }

  /**
   * Returns the name of an attribute of the specification.
   *
   * @param name as KMIP 1.x spells it, like {@code Cryptographic Length}
   * @throws IllegalArgumentException if there is none
   */
  public static AttributeName named(String name) {
    Attribute attribute = Attribute.named(name);
    if (attribute == null) {
      throw new IllegalArgumentException("no attribute: " + name);
    }
    return new AttributeName.Standard(attribute);
  }

  /**
   * Adds values in their order. Indices that they have already are ignored.
   *
   * @throws KmipException if an attribute that may have one value only has several
   */
  public static Attributes of(Collection<AttributeValue> values) {
    Attributes attributes = NONE;
    for (AttributeValue each : values) {
      attributes = attributes.add(each.name(), each.value());
    }
    return attributes;
  }

  /** Takes values with the indices that they have. */
  static Attributes indexed(List<AttributeValue> values) {
    return new Attributes(values);
  }

  public List<AttributeValue> all() {
    return all;
  }

  /** Returns the names in the order of their first values. */
  public Set<AttributeName> names() {
    Set<AttributeName> names = new LinkedHashSet<>();
    all.forEach(each -> names.add(each.name()));
    return names;
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

  /**
   * Returns the first value of an attribute of the specification; null if there is none of this
   * type.
   *
   * @param name as KMIP 1.x spells it
   */
  public <T extends Value> @Nullable T first(String name, Class<T> type) {
    Value value = first(named(name));
    return type.isInstance(value) ? type.cast(value) : null;
  }

  /**
   * Adds a value.
   *
   * @throws KmipException if the attribute may have one value only, and has it
   */
  public Attributes add(AttributeName name, Value value) {
    List<AttributeValue> values = get(name);
    if (!isMultiple(name) && !values.isEmpty()) {
      throw new KmipException(
          ResultReason.named("AttributeSingleValued"), name + " may have one value only");
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
    if (isMultiple(name)) {
      throw new KmipException(
          ResultReason.named("MultiValuedAttribute"), name + " may have several values");
    }
    return get(name).isEmpty() ? add(name, value) : modify(name, null, value);
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

  /**
   * Returns the index of a value, for clients that name the value instead; null if the attribute
   * may have one value only.
   *
   * @throws KmipException if the attribute does not have it
   */
  public @Nullable Integer find(AttributeName name, Value value) {
    return one(required(name), name, each -> each.value().equals(value)).index();
  }

  private AttributeValue at(AttributeName name, @Nullable Integer index) {
    int wanted = Objects.requireNonNullElse(index, 0);
    return one(required(name), name, each -> indexOf(each) == wanted);
  }

  private List<AttributeValue> required(AttributeName name) {
    List<AttributeValue> values = get(name);
    if (values.isEmpty()) {
      throw new KmipException(
          ResultReason.named("AttributeNotFound"), "the object does not have " + name);
    }
    return values;
  }

  private static AttributeValue one(
      List<AttributeValue> values, AttributeName name, Predicate<AttributeValue> wanted) {
    return values.stream()
        .filter(wanted)
        .findFirst()
        .orElseThrow(() ->
            new KmipException(
                ResultReason.named("AttributeInstanceNotFound"),
                "the object does not have this value of " + name));
  }

  private Attributes without(Predicate<AttributeValue> gone) {
    return new Attributes(all.stream().filter(gone.negate()).toList());
  }

  /** Refuses what an object's other fields say. */
  void withoutComputed() {
    if (all.stream().anyMatch(each -> isComputed(each.name()))) {
      throw new IllegalArgumentException("these are fields of their own: " + names());
    }
  }

  private static boolean isComputed(AttributeName name) {
    return name.equals(UNIQUE_IDENTIFIER) || name.equals(OBJECT_TYPE) || name.equals(STATE);
  }

  Attributes preceded(Attributes others) {
    List<AttributeValue> both = new ArrayList<>(others.all);
    both.addAll(all);
    return new Attributes(both);
  }

  /** Tells whether an object may have several values of it; of what clients name, it may. */
  public static boolean isMultiple(AttributeName name) {
    return !(name instanceof AttributeName.Standard(Attribute attribute)) || attribute.multiple();
  }

  private static int indexOf(AttributeValue value) {
    return Objects.requireNonNullElse(value.index(), 0);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Attributes attributes && attributes.all.equals(all);
  }

  @Override
  public int hashCode() {
    return all.hashCode();
  }

  @Override
  public String toString() {
    return all.toString();
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
