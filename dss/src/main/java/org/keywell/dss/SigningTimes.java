package org.keywell.dss;

import java.time.Duration;

/**
 * How long the parts of signing took, as the caller sees it.
 *
 * @param certified until the certificate was there; zero where it came with the signature
 * @param prepared until it was known what to sign
 * @param signed until the signatures were there
 * @param assembled until the signed documents were there, with time stamps if any
 */
public record SigningTimes(
    Duration certified, Duration prepared, Duration signed, Duration assembled) {

  public Duration total() {
    return certified.plus(prepared).plus(signed).plus(assembled);
  }
}
