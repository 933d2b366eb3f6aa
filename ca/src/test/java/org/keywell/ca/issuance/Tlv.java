package org.keywell.ca.issuance;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/**
 * An ASN.1 value that can be written in the many ways of BER. A BIT STRING that holds a value is a
 * node with one child, so that its content is re-encoded as well.
 */
record Tlv(int tag, byte[] prefix, byte[] content, List<Tlv> children) {
  private static final byte[] NOTHING = {};
  private static final int SEQUENCE = 0x30;
  private static final int BIT_STRING = 0x03;
  private static final int INTEGER = 0x02;

  /** Reads DER with lengths of up to 65,535. */
  static Tlv of(byte[] der) {
    int tag = der[0] & 0xff;
    byte[] content = Arrays.copyOfRange(der, contentAt(der, 0), der.length);
    if (tag == SEQUENCE) {
      return new Tlv(tag, NOTHING, NOTHING, children(content));
    }
    if (tag == BIT_STRING && content[1] == SEQUENCE) {
      return new Tlv(
          tag,
          new byte[] {content[0]},
          NOTHING,
          children(Arrays.copyOfRange(content, 1, content.length)));
    }
    return new Tlv(tag, NOTHING, content, List.of());
  }

  private static List<Tlv> children(byte[] der) {
    List<Tlv> children = new ArrayList<>();
    for (int at = 0; at < der.length; ) {
      int end = contentAt(der, at) + lengthAt(der, at);
      children.add(of(Arrays.copyOfRange(der, at, end)));
      at = end;
    }
    return children;
  }

  private static int contentAt(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int lengthAt(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    return Integer.parseInt(HexFormat.of().formatHex(der, at + 2, contentAt(der, at)), 16);
  }

  /** In DER, but for the changes that chance makes, with the given odds at each node. */
  byte[] written(Random random, double odds) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(prefix);
    body.writeBytes(content);
    children.forEach(child -> body.writeBytes(child.written(random, odds)));
    byte[] value = body.toByteArray();
    if (random.nextDouble() >= odds) {
      return tlv(tag, shortest(value.length), value, NOTHING);
    }
    byte[] end = {0, 0};
    return switch (random.nextInt(8)) {
      case 0 -> tlv(tag, longer(value.length, 1 + random.nextInt(4)), value, NOTHING);
      case 1 -> tlv(tag, new byte[] {(byte) 0x80}, value, end);
      case 2 -> tlv(tag, shortest(value.length + 1), value, new byte[] {(byte) random.nextInt()});
      case 3 -> tlv(tag, shortest(value.length), value, new byte[1 + random.nextInt(3)]);
      case 4 -> tag == BIT_STRING ? padded(value, random) : chunked(value);
      case 5 -> tag == INTEGER ? zeroFirst(value) : NOTHING;
      case 6 ->
          tag == BIT_STRING && value.length > 1 ? inParts(value, random) : tlv(tag ^ 0x20, value);
      default -> tag == 0x05 ? NOTHING : highTag(value);
    };
  }

  private byte[] padded(byte[] value, Random random) {
    byte[] changed = value.clone();
    changed[0] = (byte) (1 + random.nextInt(7));
    return tlv(tag, changed);
  }

  /** Constructed, as BER lets strings be. */
  private byte[] chunked(byte[] value) {
    return tlv(tag | 0x20, tlv(tag, value));
  }

  private byte[] inParts(byte[] value, Random random) {
    int cut = 1 + random.nextInt(value.length - 1);
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    parts.writeBytes(tlv(tag, Arrays.copyOf(value, cut)));
    byte[] rest = Arrays.copyOfRange(value, cut - 1, value.length);
    rest[0] = 0;
    parts.writeBytes(tlv(tag, rest));
    return random.nextBoolean()
        ? tlv(tag | 0x20, parts.toByteArray())
        : tlv(tag | 0x20, new byte[] {(byte) 0x80}, parts.toByteArray(), new byte[] {0, 0});
  }

  private byte[] zeroFirst(byte[] value) {
    byte[] longer = new byte[value.length + 1];
    System.arraycopy(value, 0, longer, 1, value.length);
    return tlv(tag, longer);
  }

  /** The tag's number in an octet of its own. */
  private byte[] highTag(byte[] value) {
    byte[] der = tlv(tag & 0x1f, value);
    byte[] longer = new byte[der.length + 1];
    longer[0] = (byte) (tag | 0x1f);
    System.arraycopy(der, 0, longer, 1, der.length);
    return longer;
  }

  static byte[] tlv(int tag, byte[] value) {
    return tlv(tag, shortest(value.length), value, NOTHING);
  }

  private static byte[] tlv(int tag, byte[] length, byte[] value, byte[] end) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    out.writeBytes(length);
    out.writeBytes(value);
    out.writeBytes(end);
    return out.toByteArray();
  }

  private static byte[] shortest(int length) {
    return length < 0x80 ? new byte[] {(byte) length} : longer(length, 0);
  }

  /** In the long form, with so many octets more than it needs. */
  private static byte[] longer(int length, int more) {
    int octets = (length < 0x100 ? 1 : 2) + more;
    byte[] encoded = new byte[1 + octets];
    encoded[0] = (byte) (0x80 | octets);
    encoded[octets] = (byte) length;
    if (length >= 0x100) {
      encoded[octets - 1] = (byte) (length >> 8);
    }
    return encoded;
  }
}
