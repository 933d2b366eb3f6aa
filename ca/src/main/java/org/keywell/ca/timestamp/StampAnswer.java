package org.keywell.ca.timestamp;

import java.math.BigInteger;
import java.time.Instant;

/** What became of a request for a time stamp. */
public sealed interface StampAnswer {

  /** Returns a {@code TimeStampResp}, DER. */
  byte[] response();

  /**
   * The time stamp was made.
   *
   * @param digestAlgorithm the object identifier of the hash function, in dotted form
   * @param digest of what was stamped
   */
  record Granted(
      byte[] response, BigInteger serial, Instant time, String digestAlgorithm, byte[] digest)
      implements StampAnswer {}

  /**
   * None was made.
   *
   * @param reason for people
   */
  record Rejected(byte[] response, Failure failure, String reason) implements StampAnswer {}

  /** Of RFC 3161, section 2.4.2, those that occur here. */
  enum Failure {
    BAD_ALGORITHM,
    BAD_REQUEST,
    BAD_DATA_FORMAT,
    TIME_NOT_AVAILABLE,
    UNACCEPTED_POLICY,
    UNACCEPTED_EXTENSION,
    SYSTEM_FAILURE
  }
}
