package org.keywell.kmip.table;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.kmip.ttlv.Item;
import org.keywell.kmip.ttlv.ItemType;
import org.keywell.kmip.ttlv.Value;

/**
 * A tag of the specification.
 *
 * @param number from 0x420001
 * @param name as KMIP's XML form spells it, like {@code BatchItem}
 * @param types what an item with this tag may be
 * @param enumeration the enumeration or mask of its values, null if it has none
 */
public record Tag(
    int number, String name, Span span, Set<ItemType> types, @Nullable String enumeration) {

  private static final Map<String, Tag> BY_NAME = new LinkedHashMap<>();
  private static final Map<Integer, Tag> BY_NUMBER = new LinkedHashMap<>();

  static {
    for (String[] row : TableFile.rows("tags.tsv", 6)) {
      Tag tag =
          new Tag(
              Integer.parseInt(row[0], 16),
              row[1],
              Span.parse(row[2], row[3]),
              Arrays.stream(row[4].split(",")).map(ItemType::labelled).collect(Collectors.toSet()),
              row[5].equals("-") ? null : row[5]);
      if (BY_NAME.put(tag.name, tag) != null || BY_NUMBER.put(tag.number, tag) != null) {
        throw new IllegalStateException("twice in tags.tsv: " + tag);
      }
    }
  }

  public Tag {
    types = Set.copyOf(types);
  }

  /**
   * Returns the tag of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Tag named(String name) {
    Tag tag = BY_NAME.get(name);
    if (tag == null) {
      throw new IllegalArgumentException("no tag: " + name);
    }
    return tag;
  }

  /** Returns the tag of this number; null for extensions and numbers without a tag. */
  public static @Nullable Tag numbered(int number) {
    return BY_NUMBER.get(number);
  }

  /** Tells whether a version has the tag of this number; it has all that are extensions. */
  public static boolean has(ProtocolVersion version, int number) {
    Tag tag = numbered(number);
    return tag == null || tag.span.includes(version);
  }

  /** Returns the name of this number, or its six hexadecimal digits if it has none. */
  public static String nameOf(int number) {
    Tag tag = numbered(number);
    return tag == null ? "%06X".formatted(number) : tag.name;
  }

  public static List<Tag> all() {
    return List.copyOf(BY_NAME.values());
  }

  /** Returns an item with this tag. */
  public Item item(Value value) {
    return new Item(number, value);
  }

  /** Returns a structure with this tag. */
  public Item item(List<Item> items) {
    return item(new Value.Structure(items));
  }

  /**
   * Returns an item with this tag and a value of its enumeration.
   *
   * @throws IllegalArgumentException if there is no such value
   */
  public Item item(String value) {
    return item(
        new Value.Enumerated(Enumerations.named(String.valueOf(enumeration), value).bits()));
  }

  @Override
  public String toString() {
    return name;
  }
}
