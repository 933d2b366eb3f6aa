package org.keywell.kmip.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All enumerations and bit masks, except that of the tags. */
public final class Enumerations {

  /**
   * A value.
   *
   * @param bits all 32; of a mask, one of them
   * @param name as KMIP's XML form spells it, like {@code SymmetricKey}
   * @param detail of a {@code ResultReason} that KMIP 1.0 lacks, the one that versions before it
   *     have instead; of an {@code Operation}, {@code client} if clients request it, else {@code
   *     server}; null of anything else
   */
  public record Named(int bits, String name, Span span, @Nullable String detail) {}

  private static final Map<String, Map<String, Named>> ALL = new LinkedHashMap<>();

  static {
    for (String[] row : TableFile.rows("enumerations.tsv", 6)) {
      int bits = Integer.parseUnsignedInt(row[1], 16);
      String detail = row[5].equals("-") ? null : row[5];
      Named value = new Named(bits, row[2], Span.parse(row[3], row[4]), detail);
      if (ALL.computeIfAbsent(row[0], key -> new LinkedHashMap<>()).put(row[2], value) != null) {
        throw new IllegalStateException("twice in enumerations.tsv: " + row[0] + " " + row[2]);
      }
    }
  }

  private Enumerations() {}

  /**
   * Returns the value of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Named named(String enumeration, String name) {
    Named value = ALL.getOrDefault(enumeration, Map.of()).get(name);
    if (value == null) {
      throw new IllegalArgumentException("no value of " + enumeration + ": " + name);
    }
    return value;
  }

  /**
   * Returns what these bits mean in a version; null for extensions, several bits of a mask, and
   * what the version does not have.
   */
  public static @Nullable Named valued(String enumeration, int bits, ProtocolVersion version) {
    for (Named each : ALL.getOrDefault(enumeration, Map.of()).values()) {
      if (each.bits == bits && each.span.includes(version)) {
        return each;
      }
    }
    return null;
  }

  /** Returns the values in the order of their bits; none if there is no such enumeration. */
  public static List<Named> of(String enumeration) {
    return List.copyOf(ALL.getOrDefault(enumeration, Map.of()).values());
  }
}
