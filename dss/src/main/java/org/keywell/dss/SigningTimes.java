package org.keywell.dss;

import java.time.Duration;

/**
 * How long each phase of signing took, measured at the caller.
 *
 * @param certified until the certificate arrived; zero if it came with the signature
 * @param prepared until the data to sign was known
 * @param signed until the signatures arrived
 * @param assembled until the signed documents were complete, with time stamps and what higher
 *     levels need
 */
public record SigningTimes(
    Duration certified, Duration prepared, Duration signed, Duration assembled) {

  public Duration total() {
    return certified.plus(prepared).plus(signed).plus(assembled);
  }
}
