package org.keywell.identity;

/** Verifies tickets of one format. Thread-safe. */
public interface ProofVerifier {

  /**
   * Checks everything except an earlier use of the ticket, which the record of the request settles.
   *
   * @throws ProofRefusedException if it does not prove who signs
   */
  ProvenIdentity verify(String ticket, ProofContext context);
}
