package org.keywell.ca.issuance;

/** A public key is not one that this CA certifies. */
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
