package org.keywell.signing.record;

/** A record could not be written or read; a write may have taken effect. */
public final class RecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RecordException(String message) {
    super(message);
  }

  public RecordException(String message, Throwable cause) {
    super(message, cause);
  }
}
