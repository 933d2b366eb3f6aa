package org.keywell.dss;

/**
 * A document cannot be signed in the requested form. The service was not called: no key was used,
 * no certificate issued.
 */
public final class UnsuitableDocumentException extends DocumentSigningException {
  private static final long serialVersionUID = 1L;

  UnsuitableDocumentException(String message, Throwable cause) {
    super(message, cause);
  }
}
