package org.keywell.kmip.ttlv;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Trees of items of all types, the same for the same seed. */
final class RandomItems {

  private static final int MOST_DEPTH = 6;

  private final Random random;

  RandomItems(long seed) {
    random = new Random(seed);
  }

  /** Returns a structure, at most six deep. */
  Item tree() {
    return structure(1);
  }

  private Item structure(int depth) {
    List<Item> items = new ArrayList<>();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      boolean deeper = depth < MOST_DEPTH && random.nextInt(3) == 0;
      items.add(deeper ? structure(depth + 1) : new Item(tag(), value()));
    }
    return new Item(tag(), new Value.Structure(items));
  }

  private int tag() {
    return (random.nextInt(8) == 0 ? 0x540000 : 0x420000) + random.nextInt(0x10000);
  }

  private Value value() {
    return switch (random.nextInt(10)) {
      case 0 -> new Value.Int(random.nextInt());
      case 1 -> new Value.LongInt(random.nextLong());
      case 2 -> new Value.BigInt(big());
      case 3 -> new Value.Enumerated(random.nextInt());
      case 4 -> new Value.Bool(random.nextBoolean());
      case 5 -> new Value.Text(text());
      case 6 -> new Value.Bytes(bytes(random.nextInt(40)));
      case 7 -> new Value.DateTime(random.nextLong());
      case 8 -> new Value.Interval(Integer.toUnsignedLong(random.nextInt()));
      default -> new Value.DateTimeExtended(random.nextLong());
    };
  }

  private BigInteger big() {
    BigInteger value = new BigInteger(random.nextInt(600), random);
    return random.nextBoolean() ? value : value.negate();
  }

  private String text() {
    StringBuilder text = new StringBuilder();
    for (int left = random.nextInt(20); left > 0; left--) {
      int[] ranges = {0x20, 0x80, 0x800, 0xE000, 0x10000};
      text.appendCodePoint(ranges[random.nextInt(ranges.length)] + random.nextInt(0x60));
    }
    return text.toString();
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }
}
