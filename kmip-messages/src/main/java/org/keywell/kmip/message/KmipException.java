package org.keywell.kmip.message;

import org.jspecify.annotations.Nullable;
import org.keywell.kmip.table.Enumerations;
import org.keywell.kmip.table.ProtocolVersion;

/**
 * A refusal or failure that the client is told: of an operation if its handler throws it, else of
 * the whole message. Its text reaches the client, so it holds nothing secret.
 */
public final class KmipException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String reason;
  private final String message;

  /**
   * @param reason of the enumeration {@code ResultReason} in its newest version
   * @throws IllegalArgumentException if there is none of this name
   */
  public KmipException(String reason, String message) {
    this(reason, message, null);
  }

  /**
   * As {@link #KmipException(String, String)}.
   *
   * @param cause not told to the client
   */
  public KmipException(String reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = Enumerations.named("ResultReason", reason).name();
    this.message = message;
  }

  @Override
  public String getMessage() {
    return message;
  }

  public String reason() {
    return reason;
  }

  /** Returns the reason that a client of that version knows; general failure if it has none. */
  public String reasonIn(ProtocolVersion version) {
    var named = Enumerations.named("ResultReason", reason);
    String earlier = named.detail() == null ? "GeneralFailure" : named.detail();
    return named.span().includes(version) ? reason : earlier;
  }
}
