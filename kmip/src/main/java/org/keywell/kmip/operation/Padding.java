package org.keywell.kmip.operation;

import java.util.Arrays;
import org.keywell.kmip.message.KmipException;

/** The padding of PKCS#5 (RFC 8018, section 6.1.1) to the block of AES. */
final class Padding {

  private static final int BLOCK_BYTES = 16;

  private Padding() {}

  static byte[] add(byte[] data) {
    int padding = BLOCK_BYTES - data.length % BLOCK_BYTES;
    byte[] padded = Arrays.copyOf(data, data.length + padding);
    Arrays.fill(padded, data.length, padded.length, (byte) padding);
    return padded;
  }

  static byte[] remove(byte[] padded) {
    int padding = padded.length == 0 ? 0 : padded[padded.length - 1];
    if (padding >= 1 && padding <= BLOCK_BYTES && padding <= padded.length) {
      byte[] data = Arrays.copyOf(padded, padded.length - padding);
      if (Arrays.equals(add(data), padded)) {
        return data;
      }
    }
    throw new KmipException("CryptographicFailure", "invalid padding");
  }
}
