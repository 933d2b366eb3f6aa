package org.keywell.service.identity;

/** Checks tickets of one form. Thread-safe. */
public interface ProofVerifier {

  /**
   * Checks everything but whether the ticket was used before, which the record of the request
   * settles.
   *
   * @throws ProofRefusedException if it does not prove who signs
   */
  ProvenIdentity verify(String ticket, ProofContext context);
}
