package org.keywell.ca.ocsp;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Looks at the shape of DER before a parser that descends by recursion does: strangers choose the
 * depth.
 */
public final class DerShape {

  private static final int CONSTRUCTED = 0x20;
  private static final int LONG_TAG = 0x1F;
  private static final int LONG_LENGTH = 0x80;
  private static final int MOST_LENGTH_BYTES = 2;

  private DerShape() {}

  /** Whether it is one value, of definite lengths below 64 KiB, in which none lies too deep. */
  public static boolean isFlat(byte[] der, int maxDepth) {
    Deque<Integer> ends = new ArrayDeque<>();
    int at = 0;
    do {
      int end = ends.isEmpty() ? der.length : ends.getLast();
      if (end - at < 2 || (der[at] & LONG_TAG) == LONG_TAG) {
        return false;
      }
      boolean constructed = (der[at] & CONSTRUCTED) != 0;
      int length = der[at + 1] & 0xFF;
      at += 2;
      if (length >= LONG_LENGTH) {
        int bytes = length - LONG_LENGTH;
        if (bytes == 0 || bytes > MOST_LENGTH_BYTES || end - at < bytes) {
          return false;
        }
        length = 0;
        for (int i = 0; i < bytes; i++) {
          length = (length << 8) | (der[at++] & 0xFF);
        }
      }
      if (end - at < length || (ends.isEmpty() && length != der.length - at)) {
        return false;
      }
      if (constructed) {
        ends.addLast(at + length);
      } else {
        at += length;
        if (ends.isEmpty()) {
          return true;
        }
      }
      while (!ends.isEmpty() && ends.getLast() == at) {
        ends.removeLast();
      }
    } while (!ends.isEmpty() && ends.size() <= maxDepth);
    return ends.isEmpty();
  }
}
