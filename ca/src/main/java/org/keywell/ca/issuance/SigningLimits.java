package org.keywell.ca.issuance;

import java.time.Duration;

/**
 * Limits on how threads use the CA's key.
 *
 * @param concurrentSignatures signatures in progress at once, 1 to {@value #MOST_CONCURRENT};
 *     further threads wait for their turn
 * @param maxWait the longest wait for a turn, 1 ms to 1 minute; after that the request is refused
 *     as {@link org.keywell.ca.Certification.Reason#CA_UNAVAILABLE}
 */
public record SigningLimits(int concurrentSignatures, Duration maxWait) {
  /** The maximum number of threads that sign at once. */
  public static final int MOST_CONCURRENT = 50;

  /**
   * SunPKCS11 keeps five idle sessions per provider. With a sixth concurrent signature it opens and
   * closes sessions on the signing path, and closing one takes time in proportion to the number of
   * live objects in the token: milliseconds per signature alongside a full key pool. For the same
   * reason, one provider serves one certificate authority.
   */
  public static final int MOST_OF_A_PROVIDER = 5;

  private static final Duration MAX_WAIT = Duration.ofSeconds(2);

  /**
   * @throws IllegalArgumentException naming the component that is out of range
   */
  public SigningLimits {
    if (concurrentSignatures < 1 || concurrentSignatures > MOST_CONCURRENT) {
      throw new IllegalArgumentException(
          "concurrentSignatures is "
              + concurrentSignatures
              + ", and must be 1 to "
              + MOST_CONCURRENT);
    }
    if (maxWait.compareTo(Duration.ofMillis(1)) < 0
        || maxWait.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "maxWait is " + maxWait + ", and must be 1 ms to 1 minute");
    }
  }

  /** Returns limits with the given concurrency and a wait of at most 2 seconds. */
  public static SigningLimits of(int concurrentSignatures) {
    return new SigningLimits(concurrentSignatures, MAX_WAIT);
  }

  /** Returns the limits of one provider, with a wait of at most 2 seconds. */
  public static SigningLimits defaults() {
    return of(MOST_OF_A_PROVIDER);
  }

  /** Returns the number of providers required. */
  public int providers() {
    return Math.ceilDiv(concurrentSignatures, MOST_OF_A_PROVIDER);
  }
}
