package org.keywell.ca.issuance;

/** The CA's key did not sign. */
final class CaSigningException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String detail;

  CaSigningException(String detail) {
    super(detail);
    this.detail = detail;
  }

  CaSigningException(String detail, Throwable cause) {
    super(detail, cause);
    this.detail = detail;
  }

  String detail() {
    return detail;
  }
}
