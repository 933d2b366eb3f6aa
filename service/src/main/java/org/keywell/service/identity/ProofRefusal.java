package org.keywell.service.identity;

/**
 * Why a ticket does not prove who signs; the closed set. Each way in renders it in its own words.
 */
public enum ProofRefusal {
  /** Not a ticket of the form that its type says, or larger than allowed. */
  MALFORMED,
  /** Not signed, or not by a key and algorithm that are trusted for its issuer. */
  UNTRUSTED,
  /** Expired, or not valid yet. */
  NOT_VALID_NOW,
  /** Made for another audience or recipient. */
  WRONG_AUDIENCE,
  /** The signer was identified with less assurance than is asked for. */
  ASSURANCE_TOO_LOW,
  /** Bound to another request, or to none although that is asked for. */
  NOT_BOUND,
  /** Has served a request before. */
  REPLAYED,
  /** Lacks an attribute that a certificate needs, or has one that no certificate may have. */
  ATTRIBUTES,
  /** The provider's keys are not known at present. */
  PROVIDER_UNAVAILABLE,
  /** Not checked: others were, for as long as the request could wait. */
  BUSY
}
