package org.keywell.ca.issuance;

import java.math.BigInteger;
import java.security.SecureRandom;

/** Serial numbers that cannot be guessed or met twice (RFC 5280, section 4.1.2.2). Thread-safe. */
public final class SerialNumbers {
  private static final int BITS = 128;

  private final SecureRandom random;

  public SerialNumbers(SecureRandom random) {
    this.random = random;
  }

  /** 128 random bits as a positive number, never zero; its DER content is at most 17 octets. */
  public BigInteger next() {
    BigInteger serial;
    do {
      serial = new BigInteger(BITS, random);
    } while (serial.signum() == 0);
    return serial;
  }
}
