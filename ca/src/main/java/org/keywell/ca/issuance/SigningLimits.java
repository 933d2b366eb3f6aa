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
  /**
   * SunPKCS11 keeps five idle sessions for each provider. With a sixth signature under way it opens
   * and closes sessions on the signing path, and closing one takes time in proportion to the
   * objects that are alive in the token: milliseconds for each signature beside a full key pool.
   * For the same reason one provider serves one certificate authority.
   */
  public static final int MOST_CONCURRENT = 5;

  /**
   * @throws IllegalArgumentException naming the component that is out of range
   */
  public SigningLimits {
    if (concurrentSignatures < 1 || concurrentSignatures > MOST_CONCURRENT) {
      throw new IllegalArgumentException(
          "concurrentSignatures is " + concurrentSignatures + ", and must be 1 to 5");
    }
    if (maxWait.compareTo(Duration.ofMillis(1)) < 0
        || maxWait.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "maxWait is " + maxWait + ", and must be 1 ms to 1 minute");
    }
  }

  /** Five signatures at once, and a wait of at most 2 seconds. */
  public static SigningLimits defaults() {
    return new SigningLimits(MOST_CONCURRENT, Duration.ofSeconds(2));
  }
}
