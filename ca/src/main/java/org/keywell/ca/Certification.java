package org.keywell.ca;

import java.math.BigInteger;

/** What became of a {@link CertificationRequest}. */
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
   * @param detail one sentence for an operator's log; carries no secret and no subject attribute
   */
  record Refused(Reason reason, String detail) implements Certification {}

  /** The closed set of reasons for a refusal. */
  enum Reason {
    /** The signature does not verify with the key, or is of a scheme that the key cannot make. */
    POSSESSION_NOT_PROVEN,
    /** The key is not strict DER, or of an algorithm, size or form that is not certified. */
    KEY_NOT_ALLOWED,
    /** The request names a profile that the CA does not have. */
    PROFILE_UNKNOWN,
    /** The profile does not let certificates be issued for such a subject. */
    SUBJECT_NOT_ALLOWED,
    /** The CA's chain is not valid now, or not for as long as a certificate has to live. */
    CA_NOT_VALID,
    /** The CA's key did not sign, or its turn did not come in time. Another attempt may succeed. */
    CA_UNAVAILABLE,
    /**
     * The CA's key signed, but the signature does not verify with the CA's certificate. Another
     * attempt may succeed; opening the key again is no remedy.
     */
    CA_SIGNATURE_WRONG
  }
}
