package org.keywell.kmip.ttlv;

import org.jspecify.annotations.Nullable;

/** The types of values, with their codes in the binary form. */
public enum ItemType {
  STRUCTURE(1, "Structure", Value.Structure.class, -1),
  INTEGER(2, "Integer", Value.Int.class, 4),
  LONG_INTEGER(3, "LongInteger", Value.LongInt.class, 8),
  BIG_INTEGER(4, "BigInteger", Value.BigInt.class, -1),
  ENUMERATION(5, "Enumeration", Value.Enumerated.class, 4),
  BOOLEAN(6, "Boolean", Value.Bool.class, 8),
  TEXT_STRING(7, "TextString", Value.Text.class, -1),
  BYTE_STRING(8, "ByteString", Value.Bytes.class, -1),
  DATE_TIME(9, "DateTime", Value.DateTime.class, 8),
  INTERVAL(10, "Interval", Value.Interval.class, 4),
  DATE_TIME_EXTENDED(11, "DateTimeExtended", Value.DateTimeExtended.class, 8);

  private static final ItemType[] ALL = values();

  private final int code;
  private final String label;
  private final Class<? extends Value> values;
  private final int length;

  ItemType(int code, String label, Class<? extends Value> values, int length) {
    this.code = code;
    this.label = label;
    this.values = values;
    this.length = length;
  }

  /** Returns the name that KMIP's XML form and the tables use. */
  public String label() {
    return label;
  }

  /** Returns the number of bytes of each value, without padding; -1 if values differ. */
  int fixedLength() {
    return length;
  }

  int code() {
    return code;
  }

  static @Nullable ItemType ofCode(int code) {
    return code >= 1 && code <= ALL.length ? ALL[code - 1] : null;
  }

  public static ItemType of(Value value) {
    for (ItemType each : ALL) {
      if (each.values.isInstance(value)) {
        return each;
      }
    }
    throw new AssertionError();
  }

  /**
   * Returns the type that has this label.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ItemType labelled(String label) {
    for (ItemType each : ALL) {
      if (each.label.equals(label)) {
        return each;
      }
    }
    throw new IllegalArgumentException("no item type: " + label);
  }
}
