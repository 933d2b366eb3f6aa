package org.keywell.dss;

import eu.europa.esig.dss.model.DSSDocument;

/** A signature of which all is known but its value. */
interface PendingSignature {

  /** What the service is asked to sign. */
  byte[] digest();

  /** Whether the service's answer is a signature of that. */
  boolean isValid(byte[] answer);

  /** The signed document; at level T an authority is asked. */
  DSSDocument signed(byte[] answer);

  /**
   * The signed document at level B, whatever was aimed at: a time stamp is not part of the data.
   */
  DSSDocument signedWithoutTimestamp(byte[] answer);
}
