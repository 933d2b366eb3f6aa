package org.keywell.signing.start;

/**
 * Something that the service needs cannot be reached, but may be soon: a database or an HSM that is
 * starting. The message is one line.
 */
public final class NotThereYetException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NotThereYetException(String message) {
    super(message);
  }

  public NotThereYetException(String message, Throwable cause) {
    super(message, cause);
  }
}
