package org.keywell.ca.issuance;

import java.math.BigInteger;
import java.security.SecureRandom;

/** Generates unguessable, unique serial numbers (RFC 5280, section 4.1.2.2). Thread-safe. */
public final class SerialNumbers {
  private static final int BITS = 128;

  private final SecureRandom random;

  public SerialNumbers(SecureRandom random) {
    this.random = random;
  }

  /** Returns 128 random bits as a positive number, never zero; at most 17 octets of DER content. */
  public BigInteger next() {
    BigInteger serial;
    do {
      serial = new BigInteger(BITS, random);
    } while (serial.signum() == 0);
    return serial;
  }
}
