package org.keywell.service.sign;

import org.keywell.keypool.KeyLease;
import org.keywell.service.request.FailureReason;

/** How the work on a request begins, as decided when it is taken from the queue. */
sealed interface Start {

  /** With a key from the pool, which is the request's now. */
  record Leased(KeyLease lease) implements Start {}

  /** Not at all: no key may be spent on it, or there is none. */
  record Refused(FailureReason reason, String detail) implements Start {}

  /** What needs nothing else. */
  enum Plain implements Start {
    /** With the key of its act, which stands open. */
    OPEN_ACT,
    /** With a key that is generated for it alone. */
    MAKE_KEY,
    /** Too late. */
    OVERDUE
  }
}
