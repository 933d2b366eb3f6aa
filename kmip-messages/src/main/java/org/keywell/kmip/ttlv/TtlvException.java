package org.keywell.kmip.ttlv;

/** Thrown for bytes that are no message, or none within the limits. */
public final class TtlvException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why bytes are refused. */
  public enum Reason {
    /** The bytes end before the item does. */
    TRUNCATED,
    /** Bytes follow the outermost item. */
    TRAILING_BYTES,
    MESSAGE_TOO_LONG,
    TOO_DEEP,
    TOO_MANY_ITEMS,
    /** The tag is neither the specification's (42) nor an extension (54). */
    BAD_TAG,
    UNKNOWN_TYPE,
    /** No value of that type has this length. */
    BAD_LENGTH,
    /** An item is longer than what is left of the structure around it. */
    BEYOND_STRUCTURE,
    /** Padding is not zero. */
    BAD_PADDING,
    /** A Boolean is neither 0 nor 1. */
    BAD_BOOLEAN,
    /** A text is not UTF-8. */
    BAD_TEXT
  }

  private final Reason reason;
  private final int offset;

  TtlvException(Reason reason, int offset) {
    super(reason + " at byte " + offset);
    this.reason = reason;
    this.offset = offset;
  }

  public Reason reason() {
    return reason;
  }

  /** Returns where in the message the item begins that is refused, in bytes. */
  public int offset() {
    return offset;
  }
}
