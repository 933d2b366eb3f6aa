package org.keywell.ca.issuance;

/** An issuing key does not sign or match its certificate, or the certificate is not a CA's. */
public final class IssuingKeyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  IssuingKeyException(String message) {
    super(message);
  }

  IssuingKeyException(String message, Throwable cause) {
    super(message, cause);
  }
}
