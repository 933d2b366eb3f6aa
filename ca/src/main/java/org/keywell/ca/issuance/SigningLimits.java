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

  /** The number if none is named. */
  public static final int DEFAULT_CONCURRENT = 5;

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

  /** Returns the default limits, with a wait of at most 2 seconds. */
  public static SigningLimits defaults() {
    return of(DEFAULT_CONCURRENT);
  }
}
