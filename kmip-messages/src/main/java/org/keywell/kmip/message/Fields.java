package org.keywell.kmip.message;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.ItemType;
import org.keywell.kmip.ttlv.Value;

/**
 * Takes the fields of a structure one by one, by their tags' names and in any order. A caller that
 * has taken all it knows calls {@link #end}, which refuses the rest. All methods throw {@link
 * KmipException} for what a client has done wrong. Not thread-safe.
 */
public final class Fields {

  private final String name;
  private final ProtocolVersion version;
  private final Map<Integer, List<Value>> left = new LinkedHashMap<>();

  /**
   * Begins with all fields of the structure.
   *
   * @param name the structure's tag
   * @throws KmipException if a field is of another version
   */
  public Fields(String name, Value.Structure structure, ProtocolVersion version) {
    this.name = name;
    this.version = version;
    for (Item each : structure.items()) {
      if (!Tag.has(version, each.tag())) {
        throw new KmipException(
            "InvalidField", "KMIP %s has no %s".formatted(version, Tag.nameOf(each.tag())));
      }
      left.computeIfAbsent(each.tag(), key -> new ArrayList<>()).add(each.value());
    }
  }

  public ProtocolVersion version() {
    return version;
  }

  /** Takes a field that may be missing. */
  public <T extends Value> @Nullable T optional(String tag, Class<T> type) {
    List<T> all = repeated(tag, type);
    if (all.size() > 1) {
      throw new KmipException("InvalidMessage", "%s has %s more than once".formatted(name, tag));
    }
    return all.isEmpty() ? null : all.getFirst();
  }

  /** Takes a field that must be there. */
  public <T extends Value> T required(String tag, Class<T> type) {
    T field = optional(tag, type);
    if (field == null) {
      throw new KmipException("InvalidMessage", "%s lacks %s".formatted(name, tag));
    }
    return field;
  }

  /** Takes all fields of this tag. */
  public <T extends Value> List<T> repeated(String tag, Class<T> type) {
    List<Value> all = left.remove(Tag.named(tag).number());
    if (all == null) {
      return List.of();
    }
    List<T> typed = new ArrayList<>();
    for (Value each : all) {
      if (!type.isInstance(each)) {
        throw new KmipException(
            "InvalidMessage",
            "%s in %s must not be a %s".formatted(tag, name, ItemType.of(each).label()));
      }
      typed.add(type.cast(each));
    }
    return typed;
  }

  public byte[] bytes(String tag) {
    return required(tag, Value.Bytes.class).value();
  }

  public byte @Nullable [] bytesIfAny(String tag) {
    Value.Bytes value = optional(tag, Value.Bytes.class);
    return value == null ? null : value.value();
  }

  public int number(String tag) {
    return required(tag, Value.Int.class).value();
  }

  public int number(String tag, int otherwise) {
    return optional(tag, Value.Int.class) instanceof Value.Int(int value) ? value : otherwise;
  }

  /** Takes the name of an enumeration's value, which the version must have. */
  public String choice(String tag) {
    return named(tag, required(tag, Value.Enumerated.class));
  }

  public @Nullable String choiceIfAny(String tag) {
    Value.Enumerated value = optional(tag, Value.Enumerated.class);
    return value == null ? null : named(tag, value);
  }

  public List<String> choices(String tag) {
    return repeated(tag, Value.Enumerated.class).stream().map(each -> named(tag, each)).toList();
  }

  private String named(String tag, Value.Enumerated value) {
    return nameOf(tag, value, version);
  }

  /** Returns the name of a value of a tag's enumeration, which the version must have. */
  public static String nameOf(String tag, Value.Enumerated value, ProtocolVersion version) {
    String enumeration = String.valueOf(Tag.named(tag).enumeration());
    var named = Enumerations.valued(enumeration, value.value(), version);
    if (named == null) {
      throw new KmipException(
          "UnknownEnumeration", "KMIP %s has no %s %08X".formatted(version, tag, value.value()));
    }
    return named.name();
  }

  /** Takes a structure's fields. */
  public Fields inside(String tag) {
    return new Fields(tag, required(tag, Value.Structure.class), version);
  }

  /** Refuses what was not taken. */
  public void end() {
    for (Integer each : left.keySet()) {
      throw new KmipException(
          Tag.numbered(each) == null ? "UnknownTag" : "InvalidField",
          "%s does not belong in %s".formatted(Tag.nameOf(each), name));
    }
  }
}
