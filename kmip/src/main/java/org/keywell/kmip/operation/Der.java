package org.keywell.kmip.operation;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.keywell.kmip.message.KmipException;

/** The little of DER (X.690) that turns one form of a key into another. */
final class Der {

  static final int SEQUENCE = 0x30;
  static final int INTEGER = 0x02;
  static final int BIT_STRING = 0x03;
  static final int OCTET_STRING = 0x04;
  static final int CONTEXT_0 = 0xA0;
  static final int CONTEXT_1 = 0xA1;

  private static final int LONG_FORM = 0x80;
  private static final int MAX_LENGTH_BYTES = 3;

  private final ByteBuffer left;

  private Der(ByteBuffer left) {
    this.left = left;
  }

  static Der of(byte[] encoded) {
    return new Der(ByteBuffer.wrap(encoded));
  }

  /** Reads the next element, which must have this tag, and returns its content. */
  byte[] next(int tag) {
    if (left.remaining() < 2 || (left.get() & 0xFF) != tag) {
      throw malformed();
    }
    int length = left.get() & 0xFF;
    if (length >= LONG_FORM) {
      int bytes = length - LONG_FORM;
      if (bytes == 0 || bytes > MAX_LENGTH_BYTES || bytes > left.remaining()) {
        throw malformed();
      }
      length = 0;
      for (int i = 0; i < bytes; i++) {
        length = (length << Byte.SIZE) | (left.get() & 0xFF);
      }
    }
    if (length > left.remaining()) {
      throw malformed();
    }
    byte[] content = new byte[length];
    left.get(content);
    return content;
  }

  /** Tells whether the next element has this tag. */
  boolean isAt(int tag) {
    return left.hasRemaining() && (left.get(left.position()) & 0xFF) == tag;
  }

  Der into(int tag) {
    return of(next(tag));
  }

  private static KmipException malformed() {
    return new KmipException("InvalidField", "key material is not valid DER");
  }

  /** Encodes an element of these parts, which are encoded already or are its content. */
  static byte[] element(int tag, byte[]... parts) {
    byte[] content = join(parts);
    int length = content.length;
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 5);
    out.write(tag);
    if (length < LONG_FORM) {
      out.write(length);
    } else {
      int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + 7) / Byte.SIZE;
      out.write(LONG_FORM + bytes);
      for (int i = bytes - 1; i >= 0; i--) {
        out.write(length >>> (i * Byte.SIZE));
      }
    }
    out.writeBytes(content);
    return out.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
