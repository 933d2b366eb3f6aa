package org.keywell.kmip.ttlv;

/** A tagged value, the unit of messages. Immutable. */
public record Item(int tag, Value value) {

  public Item {
    if (!isTag(tag)) {
      throw new IllegalArgumentException("no tag: %06X".formatted(tag));
    }
  }

  /** Tells whether a tag is the specification's (42) or an extension (54), known or not. */
  public static boolean isTag(int tag) {
    int range = tag >>> 16;
    return range == 0x42 || range == 0x54;
  }

  /** Returns the same value under another tag. */
  public Item tagged(int other) {
    return new Item(other, value);
  }

  @Override
  public String toString() {
    return "%06X %s".formatted(tag, value);
  }
}
