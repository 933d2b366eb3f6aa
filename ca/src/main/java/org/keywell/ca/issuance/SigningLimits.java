package org.keywell.ca.issuance;

import java.time.Duration;

/**
 * How much of the CA's key the signing threads may ask for.
 *
 * @param concurrentSignatures signatures under way at once, 1 to {@value #MOST_CONCURRENT}; further
 *     threads wait for their turn
 * @param maxWait the longest wait for a turn, 1 ms to 1 minute; after it the request is refused as
 *     {@link org.keywell.ca.Certification.Reason#CA_UNAVAILABLE}
 */
public record SigningLimits(int concurrentSignatures, Duration maxWait) {
  /** As many threads sign at the most. */
  public static final int MOST_CONCURRENT = 50;

  /**
   * SunPKCS11 keeps five idle sessions for each provider. With a sixth signature under way it opens
   * and closes sessions on the signing path, and closing one takes time in proportion to the
   * objects that are alive in the token: milliseconds for each signature beside a full key pool.
   * For the same reason one provider serves one certificate authority.
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

  /** So many signatures at once, and a wait of at most 2 seconds. */
  public static SigningLimits of(int concurrentSignatures) {
    return new SigningLimits(concurrentSignatures, MAX_WAIT);
  }

  /** What one provider can do, and a wait of at most 2 seconds. */
  public static SigningLimits defaults() {
    return of(MOST_OF_A_PROVIDER);
  }

  /** How many providers it takes. */
  public int providers() {
    return Math.ceilDiv(concurrentSignatures, MOST_OF_A_PROVIDER);
  }
}
