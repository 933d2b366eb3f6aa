package org.keywell.ca;

import java.math.BigInteger;

/** The result of a {@link CertificationRequest}. */
public sealed interface Certification {

  /**
   * A certificate was issued.
   *
   * @param serial its serial number: 128 random bits, never zero
   * @param certificate its DER encoding
   * @param issuedUnder the chain of the CA that issued it
   */
  record Certified(BigInteger serial, byte[] certificate, CaChain issuedUnder)
      implements Certification {}

  /**
   * Nothing was issued.
   *
   * @param detail one sentence for an operator's log; contains no secret and no subject attribute
   */
  record Refused(Reason reason, String detail) implements Certification {}

  /** The reasons for a refusal; a closed set. */
  enum Reason {
    /** The signature does not verify with the key, or its scheme does not fit the key. */
    POSSESSION_NOT_PROVEN,
    /** The key is not strict DER, or its algorithm, size or form is not certified. */
    KEY_NOT_ALLOWED,
    /** The request names a profile that the CA does not have. */
    PROFILE_UNKNOWN,
    /** The profile does not allow certificates for this subject. */
    SUBJECT_NOT_ALLOWED,
    /** The CA's chain is not valid now, or not for the required minimum validity. */
    CA_NOT_VALID,
    /** The CA's key did not sign, or no turn came in time. Another attempt may succeed. */
    CA_UNAVAILABLE,
    /**
     * The CA's key signed, but the signature does not verify with the CA's certificate. Another
     * attempt may succeed; reopening the key does not help.
     */
    CA_SIGNATURE_WRONG
  }
}
