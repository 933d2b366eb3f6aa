package org.keywell.kmip.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the specification says of an attribute.
 *
 * @param name its name in KMIP 1.x, like {@code Cryptographic Length}
 * @param tag its tag; in KMIP 2.x its name
 * @param multiple whether an object may have several
 * @param setBy who gives an object its first value
 * @param clientModifies when clients may change it
 * @param clientDeletes when clients may delete it
 */
public record Attribute(
    String name,
    Tag tag,
    Span span,
    boolean multiple,
    SetBy setBy,
    Change clientModifies,
    Change clientDeletes,
    Set<String> objectsOf1,
    Set<String> objectsOf2) {

  /** Who sets a first value. */
  public enum SetBy {
    CLIENT,
    SERVER,
    EITHER
  }

  /** Until when a value may change. */
  public enum Change {
    NEVER,
    /** While the object is in the state Pre-Active. */
    PRE_ACTIVE,
    /**
     * While the object is in the state Pre-Active or Active; start and stop dates only until they
     * are reached.
     */
    ACTIVE,
    /** Until usage is allocated, and for usage limits' total and unit only. */
    UNALLOCATED,
    ALWAYS
  }

  private static final String ANY_OBJECT = "All";

  private static final Map<String, Attribute> BY_NAME = new LinkedHashMap<>();
  private static final Map<Integer, Attribute> BY_TAG = new LinkedHashMap<>();

  static {
    for (String[] row : TableFile.rows("attributes.tsv", 10)) {
      Attribute attribute =
          new Attribute(
              row[0],
              Tag.named(row[1]),
              Span.parse(row[2], row[3]),
              row[4].equals("yes"),
              SetBy.valueOf(row[5].toUpperCase(Locale.ROOT)),
              Change.valueOf(row[6].toUpperCase(Locale.ROOT)),
              Change.valueOf(row[7].toUpperCase(Locale.ROOT)),
              Set.of(row[8].split(",")),
              Set.of(row[9].split(",")));
      BY_NAME.put(attribute.name, attribute);
      BY_TAG.put(attribute.tag.number(), attribute);
    }
  }

  public Attribute {
    objectsOf1 = Set.copyOf(objectsOf1);
    objectsOf2 = Set.copyOf(objectsOf2);
  }

  /** Returns the attribute of this name, as KMIP 1.x spells it; null if there is none. */
  public static @Nullable Attribute named(String name) {
    return BY_NAME.get(name);
  }

  /** Returns the attribute with this tag; null if there is none. */
  public static @Nullable Attribute tagged(int tag) {
    return BY_TAG.get(tag);
  }

  /** Returns all attributes of the specification; clients name others themselves. */
  public static List<Attribute> all() {
    return List.copyOf(BY_NAME.values());
  }

  /**
   * Tells whether such an object may have it.
   *
   * @param objectType a name of the enumeration {@code ObjectType}
   */
  public boolean appliesTo(String objectType, ProtocolVersion version) {
    Set<String> objects = version.isAtLeast(ProtocolVersion.V2_0) ? objectsOf2 : objectsOf1;
    return span.includes(version) && (objects.contains(ANY_OBJECT) || objects.contains(objectType));
  }

  @Override
  public String toString() {
    return name;
  }
}
