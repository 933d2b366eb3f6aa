package org.keywell.signing.sign;

import org.keywell.keypool.KeyLease;
import org.keywell.signing.request.FailureReason;

/** How work on a request starts, as decided when it is taken from the queue. */
sealed interface Start {

  /** With a key from the pool, now the request's. */
  record Leased(KeyLease lease) implements Start {}

  /** Not at all: no key may be spent on it, or there is none. */
  record Refused(FailureReason reason, String detail) implements Start {}

  /** Starts that need no data. */
  enum Plain implements Start {
    /** With the key of its open act. */
    OPEN_ACT,
    /** With a key generated only for it. */
    MAKE_KEY,
    /** Too late. */
    OVERDUE
  }
}
