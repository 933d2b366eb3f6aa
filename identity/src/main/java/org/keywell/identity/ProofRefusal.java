package org.keywell.identity;

/** Why a ticket does not prove who signs; a closed set. Each interface renders it in its words. */
public enum ProofRefusal {
  /** Not in its type's format, or larger than allowed. */
  MALFORMED,
  /** Not signed, or not with a key and algorithm trusted for its issuer. */
  UNTRUSTED,
  /** Expired or not yet valid. */
  NOT_VALID_NOW,
  /** Issued for another audience or recipient. */
  WRONG_AUDIENCE,
  /** The signer was authenticated with less assurance than required. */
  ASSURANCE_TOO_LOW,
  /** Bound to another request, or unbound although a binding is required. */
  NOT_BOUND,
  /** Already used for a request. */
  REPLAYED,
  /** Lacks an attribute that a certificate needs, or has one that no certificate may have. */
  ATTRIBUTES,
  /** The provider's keys are currently not known. */
  PROVIDER_UNAVAILABLE,
  /** Not checked: other checks took all the time that the request could wait. */
  BUSY
}
