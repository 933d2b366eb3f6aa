package org.keywell.dss;

/**
 * The time stamp authority returned no time stamp. By then the key has signed and cannot sign
 * again; this exception holds the documents, signed at level B.
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
