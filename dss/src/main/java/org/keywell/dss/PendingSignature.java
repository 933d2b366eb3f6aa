package org.keywell.dss;

import eu.europa.esig.dss.model.DSSDocument;

/** A signature that lacks only its value. */
interface PendingSignature {

  /** Returns the digest that the service is to sign. */
  byte[] digest();

  /** Whether the service's answer is a valid signature of that digest. */
  boolean isValid(byte[] answer);

  /** Returns the signed document; at level T, requests a time stamp from the authority. */
  DSSDocument signed(byte[] answer);

  /** Returns the signed document at level B in any case: a time stamp is not part of the data. */
  DSSDocument signedWithoutTimestamp(byte[] answer);
}
