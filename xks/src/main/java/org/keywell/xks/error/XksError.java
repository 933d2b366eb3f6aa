package org.keywell.xks.error;

/** The errors of the specification (section "Error codes"), with their HTTP status. */
public enum XksError {
  VALIDATION(400, "ValidationException"),
  INVALID_STATE(400, "InvalidStateException"),
  INVALID_CIPHERTEXT(400, "InvalidCiphertextException"),
  INVALID_KEY_USAGE(400, "InvalidKeyUsageException"),
  AUTHENTICATION_FAILED(401, "AuthenticationFailedException"),
  KEY_NOT_FOUND(404, "KeyNotFoundException"),
  INVALID_URI_PATH(404, "InvalidUriPathException"),
  THROTTLING(429, "ThrottlingException"),
  INTERNAL(500, "InternalException"),
  UNSUPPORTED_OPERATION(501, "UnsupportedOperationException"),
  DEPENDENCY_TIMEOUT(503, "DependencyTimeoutException");

  private final int status;
  private final String label;

  XksError(int status, String label) {
    this.status = status;
    this.label = label;
  }

  public int status() {
    return status;
  }

  /** Returns the {@code errorName}. */
  public String label() {
    return label;
  }
}
