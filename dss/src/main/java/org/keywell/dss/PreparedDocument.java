package org.keywell.dss;

/** A document with everything prepared that does not need the certificate. */
interface PreparedDocument {

  /**
   * Computes the data to sign.
   *
   * @throws RuntimeException if the document cannot be signed in this form
   */
  PendingSignature with(ActKey key);
}
