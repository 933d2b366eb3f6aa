package org.keywell.bench.modes;

/** The ways to have one digest signed, the plainest first. */
enum Form {
  /** The digest itself, and the certificate after it. */
  BARE("bare"),
  /** The certificate first, and the service puts the signature into a CMS. */
  CONTAINED("CMS in one call"),
  /** The certificate in a first call, the digest in a second one. */
  IN_TWO_CALLS("two calls");

  private final String label;

  Form(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }
}
