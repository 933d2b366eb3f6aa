package org.keywell.dss;

/** The password that opens a PDF is missing or wrong. */
public final class PasswordException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  PasswordException(String message, Throwable cause) {
    super(message, cause);
  }
}
