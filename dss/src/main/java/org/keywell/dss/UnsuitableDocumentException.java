package org.keywell.dss;

/**
 * A document cannot be signed in the form that was asked for. Nothing was asked of the service: no
 * key was taken, no certificate issued.
 */
public final class UnsuitableDocumentException extends DocumentSigningException {
  private static final long serialVersionUID = 1L;

  UnsuitableDocumentException(String message, Throwable cause) {
    super(message, cause);
  }
}
