package org.keywell.tlog;

/** Thrown for bytes or text that do not have the format they should have. */
public final class LogFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LogFormatException(String message) {
    super(message);
  }

  public LogFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
