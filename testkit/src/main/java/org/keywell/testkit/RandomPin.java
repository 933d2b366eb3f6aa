package org.keywell.testkit;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random PINs, so that no test has one in its source. */
public final class RandomPin {
  private RandomPin() {}

  public static char[] characters() {
    byte[] random = new byte[8];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random).toCharArray();
  }
}
