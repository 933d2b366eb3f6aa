package org.keywell.kmip.message;

import org.keywell.kmip.table.ResultReason;

/**
 * A refusal or failure that the client is told: of an operation if its handler throws it, else of
 * the whole message. Its text reaches the client, so it holds nothing secret.
 */
public final class KmipException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient ResultReason reason;
  private final String message;

  public KmipException(ResultReason reason, String message) {
    super(message);
    this.reason = reason;
    this.message = message;
  }

  @Override
  public String getMessage() {
    return message;
  }

  public ResultReason reason() {
    return reason;
  }
}
