package org.keywell.kmip.server;

/** Thrown where a client's certificates are no caller's, or no longer. */
public final class CallerRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param message for the log; the client is not told
   */
  public CallerRefusedException(String message) {
    super(message);
  }
}
