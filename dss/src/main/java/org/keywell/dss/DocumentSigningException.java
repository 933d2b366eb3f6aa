package org.keywell.dss;

/** A document could not be signed in the requested form; the message says why. */
public sealed class DocumentSigningException extends Exception
    permits ExtensionMissingException, TimestampMissingException, UnsuitableDocumentException {
  private static final long serialVersionUID = 1L;

  DocumentSigningException(String message, Throwable cause) {
    super(message, cause);
  }
}
