package org.keywell.dss;

/**
 * The service's log has answered a proof that does not hold; the message says why. The documents
 * are signed all the same.
 */
public final class LogProofException extends Exception {
  private static final long serialVersionUID = 1L;

  LogProofException(String message, Throwable cause) {
    super(message, cause);
  }
}
