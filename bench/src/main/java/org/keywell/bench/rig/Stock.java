package org.keywell.bench.rig;

/**
 * Numbers of keys of each kind.
 *
 * @param rsa of the kind {@link #RSA}
 * @param ec of the kind {@link #EC}
 */
public record Stock(int rsa, int ec) {
  public static final String RSA = "RSA-2048";
  public static final String EC = "EC-P256";

  /** RSA keys for the longest part; EC keys to warm a service up, and others to measure. */
  public static final Stock USUAL = new Stock(6_000, 60_000);

  boolean covers(Stock wanted) {
    return rsa >= wanted.rsa && ec >= wanted.ec;
  }
}
