package org.keywell.cli;

/** A command could not do its work; the message is a whole explanation for its user. */
final class CommandFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  CommandFailedException(String message) {
    super(message);
  }

  CommandFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
