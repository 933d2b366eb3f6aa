package org.keywell.service.tls;

import java.time.Instant;

/**
 * What was found out about a certificate.
 *
 * @param until when it has to be looked at again at the latest
 * @param reason for people; blank for a good one
 */
record Finding(Status status, Instant until, String reason) {

  /** Whether a certificate counts. */
  enum Status {
    GOOD,
    REVOKED,
    /** Nobody tells whether it is revoked. */
    UNKNOWN,
    /** Expired, or not valid yet. */
    NOT_VALID_NOW,
    /** No authority that the port trusts vouches for it any more. */
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
