package org.keywell.xks.error;

import org.keywell.listener.http.HttpAnswer;

/** Errors as the specification has them sent. */
public final class ErrorAnswer {

  /** The specification's limit for an {@code errorMessage}, less one. */
  private static final int MESSAGE_LENGTH = 511;

  private ErrorAnswer() {}

  public static HttpAnswer of(XksException failure) {
    return of(failure.error().status(), failure.error(), String.valueOf(failure.getMessage()));
  }

  /**
   * Returns an error under another status than its usual one.
   *
   * @param message shortened, and without what is not printable ASCII
   */
  public static HttpAnswer of(int status, XksError error, String message) {
    StringBuilder text = new StringBuilder();
    message
        .chars()
        .limit(MESSAGE_LENGTH)
        .map(c -> c < ' ' || c > '~' ? '?' : c)
        .forEach(c -> text.append(c == '"' || c == '\\' ? "\\" : "").append((char) c));
    return new HttpAnswer(
        status,
        error.label(),
        "{\"errorName\":\"" + error.label() + "\",\"errorMessage\":\"" + text + "\"}");
  }
}
