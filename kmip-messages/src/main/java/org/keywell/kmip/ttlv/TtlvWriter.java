package org.keywell.kmip.ttlv;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Writes items in the binary form. What it writes, {@link TtlvReader} reads as an equal item. */
public final class TtlvWriter {

  private static final int HEADER = 8;

  private TtlvWriter() {}

  /**
   * Returns the binary form.
   *
   * @throws IllegalArgumentException if it would have 2 GiB or more
   */
  public static byte[] write(Item item) {
    long size = size(item);
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException("too large for a message: " + size + " bytes");
    }
    ByteBuffer out = ByteBuffer.allocate((int) size);
    put(item, out);
    return out.array();
  }

  /** Returns the number of bytes of the binary form. */
  public static long size(Item item) {
    return HEADER + padded(length(item.value()));
  }

  private static long size(List<Item> items) {
    long sum = 0;
    for (Item each : items) {
      sum += size(each);
    }
    return sum;
  }

  private static long padded(long length) {
    return (length + 7) & ~7L;
  }

  private static long length(Value value) {
    return switch (value) {
      case Value.Structure(List<Item> items) -> size(items);
      case Value.BigInt(BigInteger number) -> padded(number.bitLength() / 8 + 1);
      case Value.Text(String text) -> utf8Length(text);
      case Value.Bytes bytes -> bytes.length();
      case Value.Int _, Value.Enumerated _, Value.Interval _ -> 4;
      case Value.LongInt _, Value.Bool _, Value.DateTime _, Value.DateTimeExtended _ -> 8;
    };
  }

  private static long utf8Length(String text) {
    long length = 0;
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      // Each half of a pair of surrogates counts two of the pair's four bytes.
      length += each < 0x80 ? 1 : each < 0x800 || Character.isSurrogate(each) ? 2 : 3;
    }
    return length;
  }

  private static void put(Item item, ByteBuffer out) {
    out.putInt(item.tag() << 8 | ItemType.of(item.value()).code());
    out.putInt((int) length(item.value()));
    switch (item.value()) {
      case Value.Structure(List<Item> items) -> items.forEach(each -> put(each, out));
      case Value.Int(int value) -> out.putInt(value);
      case Value.LongInt(long value) -> out.putLong(value);
      case Value.BigInt(BigInteger value) -> put(value, out);
      case Value.Enumerated(int value) -> out.putInt(value);
      case Value.Bool(boolean value) -> out.putLong(value ? 1 : 0);
      case Value.Text(String value) -> out.put(value.getBytes(StandardCharsets.UTF_8));
      case Value.Bytes(byte[] value) -> out.put(value);
      case Value.DateTime(long seconds) -> out.putLong(seconds);
      case Value.Interval(long seconds) -> out.putInt((int) seconds);
      case Value.DateTimeExtended(long micros) -> out.putLong(micros);
    }
    // A new buffer is zero, and each item begins at a multiple of eight.
    out.position((int) padded(out.position()));
  }

  private static void put(BigInteger value, ByteBuffer out) {
    byte[] shortest = value.toByteArray();
    byte[] sign = new byte[(int) padded(shortest.length) - shortest.length];
    Arrays.fill(sign, (byte) (value.signum() < 0 ? -1 : 0));
    out.put(sign).put(shortest);
  }
}
