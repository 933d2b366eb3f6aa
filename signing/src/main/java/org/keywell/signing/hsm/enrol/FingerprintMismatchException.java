package org.keywell.signing.hsm.enrol;

/** A fingerprint does not match: nothing was done. The message is one line. */
public final class FingerprintMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FingerprintMismatchException(String message) {
    super(message);
  }
}
