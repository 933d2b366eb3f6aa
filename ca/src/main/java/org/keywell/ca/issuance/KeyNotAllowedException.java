package org.keywell.ca.issuance;

/** This CA does not certify the public key. */
final class KeyNotAllowedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final String detail;

  KeyNotAllowedException(String detail) {
    super(detail);
    this.detail = detail;
  }

  String detail() {
    return detail;
  }
}
