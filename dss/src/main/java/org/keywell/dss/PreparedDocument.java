package org.keywell.dss;

/** A document of which all is known that does not take the certificate. */
interface PreparedDocument {

  /**
   * Finds what is to be signed.
   *
   * @throws RuntimeException if the document cannot be signed so
   */
  PendingSignature with(ActKey key);
}
