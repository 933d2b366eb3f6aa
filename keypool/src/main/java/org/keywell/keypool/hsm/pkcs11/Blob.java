package org.keywell.keypool.hsm.pkcs11;

import java.util.Arrays;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * A content at rest. Modules differ in whether they remove the padding of AES-KWP: SoftHSM leaves
 * its zeros at the end of a secret. So a blob is the ciphertext and one byte more, the number of
 * these zeros. A private key that the pool wrapped has no such byte; its DER says where it ends.
 *
 * @param ciphertext the content, wrapped by AES-KWP
 * @param padding how many zeros follow the content, 0 to 7; of a private key unknown, and 0 here
 * @param privateKey whether it comes from the pool and is DER
 */
record Blob(byte[] ciphertext, int padding, boolean privateKey) {
  static final int SEMIBLOCK_BYTES = 8;

  // RFC 5649, section 3: at least two semiblocks, one more than the padded content.
  private static final int MIN_BYTES = 2 * SEMIBLOCK_BYTES;

  /** Above any content that is stored, and any private key of RSA or EC. */
  private static final int MAX_BYTES = 4096;

  private static final int SEQUENCE = 0x30;

  /** Returns the blob of a content of that length. */
  static Blob of(byte[] ciphertext, int contentBytes) {
    int padding = ciphertext.length - SEMIBLOCK_BYTES - contentBytes;
    if (padding < 0 || padding >= SEMIBLOCK_BYTES) {
      throw new HsmException(
          Reason.FAILED,
          "the token wrapped %d bytes to %d".formatted(contentBytes, ciphertext.length));
    }
    return new Blob(ciphertext, padding, false);
  }

  /**
   * @throws HsmException with {@link Reason#WRAPPED_KEY_INVALID} if these bytes are no blob
   */
  static Blob parse(byte[] bytes) {
    int ciphertextBytes = bytes.length - bytes.length % SEMIBLOCK_BYTES;
    boolean privateKey = ciphertextBytes == bytes.length;
    int padding = privateKey ? 0 : bytes[bytes.length - 1];
    if (bytes.length - ciphertextBytes > 1
        || padding < 0
        || padding >= SEMIBLOCK_BYTES
        || ciphertextBytes < MIN_BYTES
        || ciphertextBytes > MAX_BYTES) {
      throw new HsmException(
          Reason.WRAPPED_KEY_INVALID, "these " + bytes.length + " bytes are no blob");
    }
    return new Blob(Arrays.copyOf(bytes, ciphertextBytes), padding, privateKey);
  }

  byte[] encoded() {
    byte[] encoded = Arrays.copyOf(ciphertext, ciphertext.length + 1);
    encoded[ciphertext.length] = (byte) padding;
    return encoded;
  }

  /** Returns the length of the content with its padding. */
  int paddedBytes() {
    return ciphertext.length - SEMIBLOCK_BYTES;
  }

  boolean isAesKey() {
    return !privateKey
        && padding == 0
        && (paddedBytes() == 16 || paddedBytes() == 24 || paddedBytes() == 32);
  }

  /**
   * Returns the content.
   *
   * @param value as the token shows it, with the padding or without it
   * @throws HsmException with {@link Reason#WRAPPED_KEY_INVALID} if there is anything but zeros
   *     after it
   */
  byte[] content(byte[] value) {
    int length = privateKey ? derBytes(value) : paddedBytes() - padding;
    boolean fits = length > 0 && length <= value.length && value.length <= paddedBytes();
    for (int i = length; fits && i < value.length; i++) {
      fits = value[i] == 0;
    }
    if (!fits) {
      throw new HsmException(
          Reason.WRAPPED_KEY_INVALID, "the content does not end where the blob says");
    }
    return Arrays.copyOf(value, length);
  }

  /** Returns the length of the DER structure that begins there; 0 if none does. */
  private static int derBytes(byte[] value) {
    if (value.length < 4 || value[0] != SEQUENCE) {
      return 0;
    }
    int first = value[1] & 0xFF;
    return switch (first) {
      case 0x81 -> 3 + (value[2] & 0xFF);
      case 0x82 -> 4 + (((value[2] & 0xFF) << 8) | (value[3] & 0xFF));
      default -> first < 0x80 ? 2 + first : 0;
    };
  }
}
