package org.keywell.settings;

/** The service does not start; the message is one line and says what to change. */
public final class StartRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StartRefusedException(String message) {
    super(message);
  }

  public StartRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
