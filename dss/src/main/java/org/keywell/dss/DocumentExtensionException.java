package org.keywell.dss;

import org.jspecify.annotations.Nullable;

/** A signed document cannot be extended; it is unchanged. */
public sealed class DocumentExtensionException extends Exception
    permits RevocationMissingException {
  private static final long serialVersionUID = 1L;

  DocumentExtensionException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
