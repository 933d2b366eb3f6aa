package org.keywell.kmip.table;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An operation.
 *
 * @param value in the enumeration {@code Operation}
 * @param byClient whether clients request it; else only servers do, of clients
 */
public record Operation(int value, String name, Span span, boolean byClient) {

  private static final Map<Integer, Operation> ALL = new LinkedHashMap<>();

  static {
    for (String[] row : TableFile.rows("operations.tsv", 4)) {
      int value = Enumerations.named("Operation", row[0]).bits();
      Span span = Span.parse(row[1], row[2]);
      ALL.put(value, new Operation(value, row[0], span, row[3].equals("client")));
    }
  }

  /**
   * Returns the operation of this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Operation named(String name) {
    Operation operation = valued(Enumerations.named("Operation", name).bits());
    if (operation == null) {
      throw new IllegalArgumentException("no operation: " + name);
    }
    return operation;
  }

  /** Returns the operation of this value in the enumeration; null if there is none. */
  public static @Nullable Operation valued(int value) {
    return ALL.get(value);
  }

  public static List<Operation> all() {
    return List.copyOf(ALL.values());
  }

  @Override
  public String toString() {
    return name;
  }
}
