package org.keywell.kmip.message;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.ProtocolVersion;
import org.keywell.kmip.table.ResultReason;
import org.keywell.kmip.table.Tag;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.ItemType;
import org.keywell.kmip.ttlv.Value;

/**
 * Takes the fields of a structure one by one, in any order. A caller that has taken all it knows
 * calls {@link #end}, which refuses the rest. All methods throw {@link KmipException}. Not
 * thread-safe.
 */
public final class Fields {

  private final Tag name;
  private final ProtocolVersion version;
  private final Map<Integer, List<Value>> left = new LinkedHashMap<>();

  /**
   * Begins with all fields of the structure.
   *
   * @throws KmipException if one of them is of another version
   */
  public Fields(Tag name, Value.Structure structure, ProtocolVersion version) {
    this.name = name;
    this.version = version;
    for (Item each : structure.items()) {
      Tag tag = Tag.numbered(each.tag());
      if (tag != null && !tag.span().includes(version)) {
        throw new KmipException(
            ResultReason.INVALID_FIELD, "KMIP %s has no %s".formatted(version, tag));
      }
      left.computeIfAbsent(each.tag(), key -> new ArrayList<>()).add(each.value());
    }
  }

  public ProtocolVersion version() {
    return version;
  }

  /** Takes a field that may be missing. */
  public <T extends Value> @Nullable T optional(Tag tag, Class<T> type) {
    List<T> all = repeated(tag, type);
    if (all.size() > 1) {
      throw new KmipException(
          ResultReason.INVALID_MESSAGE, "%s has %s more than once".formatted(name, tag));
    }
    return all.isEmpty() ? null : all.getFirst();
  }

  /** Takes a field that must be there. */
  public <T extends Value> T required(Tag tag, Class<T> type) {
    T field = optional(tag, type);
    if (field == null) {
      throw new KmipException(ResultReason.INVALID_MESSAGE, "%s lacks %s".formatted(name, tag));
    }
    return field;
  }

  /** Takes all fields of this tag. */
  public <T extends Value> List<T> repeated(Tag tag, Class<T> type) {
    List<Value> all = left.remove(tag.number());
    if (all == null) {
      return List.of();
    }
    List<T> typed = new ArrayList<>();
    for (Value each : all) {
      if (!type.isInstance(each)) {
        throw new KmipException(
            ResultReason.INVALID_MESSAGE,
            "%s in %s must not be a %s".formatted(tag, name, ItemType.of(each).label()));
      }
      typed.add(type.cast(each));
    }
    return typed;
  }

  /** Refuses what was not taken. */
  public void end() {
    for (Integer each : left.keySet()) {
      throw new KmipException(
          Tag.numbered(each) == null
              ? ResultReason.named("UnknownTag")
              : ResultReason.INVALID_FIELD,
          "%s does not belong in %s".formatted(Tag.nameOf(each), name));
    }
  }
}
