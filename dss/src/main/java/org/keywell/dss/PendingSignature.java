package org.keywell.dss;

import eu.europa.esig.dss.model.DSSDocument;

/** A signature that lacks only its value. */
interface PendingSignature {

  /** Returns the digest that the service is to sign. */
  byte[] digest();

  /** Whether the service's answer is a valid signature of that digest. */
  boolean isValid(byte[] answer);

  /**
   * Returns the signed document. From level T on, requests time stamps from the authority;
   * signatures that the document had stay at their levels, unless the format raises all together.
   *
   * @param level at most the one that this signature was begun for; what lies above B is not part
   *     of the signed data
   */
  DSSDocument signed(byte[] answer, BaselineLevel level);
}
