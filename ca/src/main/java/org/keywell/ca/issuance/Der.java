package org.keywell.ca.issuance;

import java.nio.ByteBuffer;
import org.bouncycastle.asn1.BERTags;

/** DER (X.690) around what is encoded already; each octet is copied once. */
final class Der {

  static final int SEQUENCE = BERTags.SEQUENCE | BERTags.CONSTRUCTED;

  private Der() {}

  /** Returns the sequence of these parts, which are DER. */
  static byte[] sequence(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length = Math.addExact(length, part.length);
    }
    ByteBuffer out = ByteBuffer.allocate(size(length));
    header(out, SEQUENCE, length);
    for (byte[] part : parts) {
      out.put(part);
    }
    return out.array();
  }

  /** Returns how many octets a value takes whose content has this length. */
  static int size(int length) {
    return Math.addExact(length, 2 + more(length));
  }

  /** Writes tag and length. */
  static void header(ByteBuffer out, int tag, int length) {
    out.put((byte) tag);
    int more = more(length);
    if (more > 0) {
      out.put((byte) (0x80 | more));
    }
    for (int shift = Math.max(more - 1, 0) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      out.put((byte) (length >> shift));
    }
  }

  /** Returns how many octets the length takes beyond the first one. */
  private static int more(int length) {
    return length < 0x80
        ? 0
        : (Integer.SIZE - Integer.numberOfLeadingZeros(length) + Byte.SIZE - 1) / Byte.SIZE;
  }
}
