package org.keywell.kmip.ttlv;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * A value of one of the types. Immutable; two values are equal if they have the same binary form.
 * Texts, bytes and big integers can be secrets: {@code toString} shows their lengths only.
 */
public sealed interface Value {

  /** Items in their order. */
  record Structure(List<Item> items) implements Value {
    public Structure {
      items = List.copyOf(items);
    }
  }

  record Int(int value) implements Value {}

  record LongInt(long value) implements Value {}

  record BigInt(BigInteger value) implements Value {
    @Override
    public String toString() {
      return "BigInt[%s bits]".formatted(value.bitLength());
    }
  }

  /** The 32 bits of an enumeration's value; extensions are negative. */
  record Enumerated(int value) implements Value {}

  record Bool(boolean value) implements Value {}

  /** A text; one with an unpaired surrogate has no binary form and is refused. */
  record Text(String value) implements Value {
    public Text {
      if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
        throw new IllegalArgumentException("the text has no form in UTF-8");
      }
    }

    @Override
    public String toString() {
      return "Text[%s characters]".formatted(value.length());
    }
  }

  /** Bytes, copied on the way in and out. */
  record Bytes(byte[] value) implements Value {
    public Bytes {
      value = value.clone();
    }

    @Override
    public byte[] value() {
      return value.clone();
    }

    public int length() {
      return value.length;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bytes bytes && Arrays.equals(bytes.value, value);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(value);
    }

    @Override
    public String toString() {
      return "Bytes[%s]".formatted(value.length);
    }
  }

  /** Seconds since 1970-01-01T00:00:00Z; any 64 bits, so that it may be no {@code Instant}. */
  record DateTime(long seconds) implements Value {}

  /** Seconds, from 0 to 2^32 - 1. */
  record Interval(long seconds) implements Value {
    public Interval {
      if (seconds < 0 || seconds > 0xFFFF_FFFFL) {
        throw new IllegalArgumentException("no interval: " + seconds);
      }
    }
  }

  /** Microseconds since 1970-01-01T00:00:00Z, any 64 bits; since KMIP 2.0. */
  record DateTimeExtended(long micros) implements Value {}
}
