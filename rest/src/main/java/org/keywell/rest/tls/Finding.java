package org.keywell.rest.tls;

import java.time.Instant;

/**
 * The result of checking a certificate.
 *
 * @param until when it must be checked again at the latest
 * @param reason for people; blank for a good one
 */
record Finding(Status status, Instant until, String reason) {

  /** Whether a certificate is valid. */
  enum Status {
    GOOD,
    REVOKED,
    /** No source says whether it is revoked. */
    UNKNOWN,
    /** Expired or not yet valid. */
    NOT_VALID_NOW,
    /** No authority that the port trusts still vouches for it. */
    UNTRUSTED
  }

  static Finding good(Instant until) {
    return new Finding(Status.GOOD, until, "");
  }

  static Finding of(Status status, String reason) {
    return new Finding(status, Instant.MAX, reason);
  }

  Finding atMostUntil(Instant limit) {
    return limit.isBefore(until) ? new Finding(status, limit, reason) : this;
  }
}
