package org.keywell.keypool.hsm.pkcs11;

/** The DER {@code Ecdsa-Sig-Value} of RFC 3279, section 2.2.3. */
final class EcdsaSignature {
  private static final byte SEQUENCE = 0x30;
  private static final byte INTEGER = 0x02;

  private EcdsaSignature() {}

  /**
   * Encodes the output of {@code CKM_ECDSA}.
   *
   * @param raw r and s, each as long as the group's order, at most 61 bytes, so that the lengths in
   *     the DER take one byte each
   */
  static byte[] toDer(byte[] raw) {
    int half = raw.length / 2;
    int r = firstSignificant(raw, 0, half);
    int s = firstSignificant(raw, half, raw.length);
    int rBytes = integerBytes(raw, r, half);
    int sBytes = integerBytes(raw, s, raw.length);
    byte[] der = new byte[2 + 2 + rBytes + 2 + sBytes];
    der[0] = SEQUENCE;
    der[1] = (byte) (der.length - 2);
    putInteger(der, 2, rBytes, raw, half);
    putInteger(der, 4 + rBytes, sBytes, raw, raw.length);
    return der;
  }

  private static int firstSignificant(byte[] raw, int start, int end) {
    int i = start;
    while (i < end - 1 && raw[i] == 0) {
      i++;
    }
    return i;
  }

  /** Returns the number's length without leading zeros, plus the zero that keeps it positive. */
  private static int integerBytes(byte[] raw, int first, int end) {
    return end - first + (raw[first] < 0 ? 1 : 0);
  }

  /** Copies the last bytes of the number; a zero that keeps it positive is already there. */
  private static void putInteger(byte[] der, int at, int bytes, byte[] raw, int end) {
    der[at] = INTEGER;
    der[at + 1] = (byte) bytes;
    int available = Math.min(bytes, raw.length / 2);
    System.arraycopy(raw, end - available, der, at + 2 + bytes - available, available);
  }
}
