package org.keywell.signing.record;

/** How an act stood when its digests arrived. */
public enum ActStanding {
  /** It was open, and its digests are on record. */
  OPEN,
  /** Its certificate had been revoked. Its digests are not on record, and must not be signed. */
  REVOKED,
  /** Its record was closed by another. */
  CLOSED
}
