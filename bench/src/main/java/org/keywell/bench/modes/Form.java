package org.keywell.bench.modes;

/** The forms in which one digest can be signed, the simplest first. */
enum Form {
  /** The bare digest; the certificate follows the signature. */
  BARE("bare"),
  /** The certificate comes first, and the service puts the signature into a CMS. */
  CONTAINED("CMS in one call"),
  /** The first call gets the certificate, the second one brings the digest. */
  IN_TWO_CALLS("two calls");

  private final String label;

  Form(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
