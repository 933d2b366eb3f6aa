package org.keywell.kmip.object;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.message.KmipException;
import org.keywell.kmip.table.Attribute;
import org.keywell.kmip.ttlv.ItemType;
import org.keywell.kmip.ttlv.Value;

/**
 * Which objects a Locate looks for: those that meet all conditions, the newest first. Immutable.
 *
 * @param type null for all types
 * @param states empty for all states
 * @param values that an object must have, whatever their index; of the usage mask, the bits that
 *     must be set
 * @param offset how many of those that match are left out first
 * @param limit how many are returned at most
 */
public record LocateQuery(
    @Nullable ObjectType type,
    Set<State> states,
    List<AttributeValue> values,
    List<DateRange> dates,
    int offset,
    int limit) {

  /**
   * A condition on a date.
   *
   * @param from the first second that matches, since 1970-01-01T00:00:00Z
   * @param to the last one
   */
  public record DateRange(AttributeName name, long from, long to) {

    private boolean matches(Attributes attributes) {
      return attributes.first(name) instanceof Value.DateTime(long seconds)
          && seconds >= from
          && seconds <= to;
    }
  }

  private static final AttributeName USAGE_MASK = Attributes.named("Cryptographic Usage Mask");

  public LocateQuery {
    states = Set.copyOf(states);
    values = List.copyOf(values);
    dates = List.copyOf(dates);
    if (offset < 0 || limit < 0) {
      throw new IllegalArgumentException("offset and limit must not be negative");
    }
  }

  /**
   * Reads the attributes of a request: a date once is that very second, twice the time between.
   *
   * @throws KmipException if a date is there more often, or a type or state does not exist
   */
  public static LocateQuery of(List<AttributeValue> attributes, int offset, int limit) {
    ObjectType type = null;
    Set<State> states = EnumSet.noneOf(State.class);
    List<AttributeValue> values = new ArrayList<>();
    Map<AttributeName, DateRange> dates = new LinkedHashMap<>();
    Set<AttributeName> twice = new HashSet<>();
    for (AttributeValue each : attributes) {
      AttributeName name = each.name();
      switch (each.value()) {
        case Value.Enumerated(int value) when name.equals(Attributes.OBJECT_TYPE) ->
            type = ObjectType.valued(value);
        case Value.Enumerated(int value) when name.equals(Attributes.STATE) ->
            states.add(State.valued(value));
        case Value.DateTime(long seconds) when isDate(name) -> {
          DateRange first = dates.get(name);
          if (first != null && !twice.add(name)) {
            throw new KmipException("InvalidField", name + " is there more than twice");
          }
          dates.put(
              name,
              first == null
                  ? new DateRange(name, seconds, seconds)
                  : new DateRange(
                      name, Math.min(first.from(), seconds), Math.max(first.to(), seconds)));
        }
        default -> values.add(each);
      }
    }
    return new LocateQuery(type, states, values, List.copyOf(dates.values()), offset, limit);
  }

  private static boolean isDate(AttributeName name) {
    return name instanceof AttributeName.Standard(Attribute attribute)
        && attribute.tag().types().equals(Set.of(ItemType.DATE_TIME));
  }

  /**
   * Tells whether an object meets all conditions.
   *
   * @param described its attributes, with Unique Identifier, Object Type and State
   */
  public boolean matches(ObjectType itsType, State itsState, Attributes described) {
    return (type == null || type == itsType)
        && (states.isEmpty() || states.contains(itsState))
        && dates.stream().allMatch(range -> range.matches(described))
        && values.stream().allMatch(value -> has(described, value));
  }

  private static boolean has(Attributes described, AttributeValue wanted) {
    if (wanted.name().equals(USAGE_MASK) && wanted.value() instanceof Value.Int(int bits)) {
      return described.first(USAGE_MASK) instanceof Value.Int(int mask) && (mask & bits) == bits;
    }
    return described.contains(wanted.name(), wanted.value());
  }
}
