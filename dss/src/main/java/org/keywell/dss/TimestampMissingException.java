package org.keywell.dss;

/**
 * The time stamp authority gave no time stamp. The key has signed by then, and signs no second
 * time: what it signed is here, at level B.
 */
public final class TimestampMissingException extends DocumentSigningException {
  private static final long serialVersionUID = 1L;

  private final transient SignedDocuments withoutTimestamp;

  TimestampMissingException(SignedDocuments withoutTimestamp, Throwable cause) {
    super("the time stamp authority gave no time stamp: " + cause.getMessage(), cause);
    this.withoutTimestamp = withoutTimestamp;
  }

  public SignedDocuments withoutTimestamp() {
    return withoutTimestamp;
  }
}
