package org.keywell.xks.error;

/** A request is refused, or fails, with an error of the specification. */
public final class XksException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final XksError error;

  /**
   * @param message for the client; says nothing about keys or data
   */
  public XksException(XksError error, String message) {
    super(message);
    this.error = error;
  }

  public XksException(XksError error, String message, Throwable cause) {
    super(message, cause);
    this.error = error;
  }

  public XksError error() {
    return error;
  }
}
