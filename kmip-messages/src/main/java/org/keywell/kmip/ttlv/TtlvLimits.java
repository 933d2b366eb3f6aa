package org.keywell.kmip.ttlv;

/**
 * What a message may have at most.
 *
 * @param messageBytes its length, with the header of its outermost item; 16 to 64 MiB
 * @param depth how many structures are around an item, that item included; 1 to 64
 * @param items how many items it has, structures included; 1 to 1,000,000
 */
public record TtlvLimits(int messageBytes, int depth, int items) {

  /** For messages of keys and their attributes: 1 MiB, 16 deep, 20,000 items. */
  public static final TtlvLimits STANDARD = new TtlvLimits(1 << 20, 16, 20_000);

  public TtlvLimits {
    require("messageBytes", messageBytes, 16, 64 << 20);
    require("depth", depth, 1, 64);
    require("items", items, 1, 1_000_000);
  }

  /** Throws {@link IllegalArgumentException} for a limit that is out of bounds itself. */
  public static void require(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s must be %s to %s, is %s".formatted(name, least, most, value));
    }
  }
}
