package org.keywell.service.hsm.enrol;

/** Somebody compared, and it is not the same: nothing was done. The message is one line. */
public final class FingerprintMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public FingerprintMismatchException(String message) {
    super(message);
  }
}
