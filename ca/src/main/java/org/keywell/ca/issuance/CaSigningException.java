package org.keywell.ca.issuance;

/** The CA's key did not sign. */
final class CaSigningException extends Exception {
  private static final long serialVersionUID = 1L;

  CaSigningException(String message) {
    super(message);
  }

  CaSigningException(String message, Throwable cause) {
    super(message, cause);
  }
}
