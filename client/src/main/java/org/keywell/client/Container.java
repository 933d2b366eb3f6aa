package org.keywell.client;

/** A container for signatures that the service can build: detached CMS of an AdES baseline form. */
public enum Container {
  /** ETSI EN 319 122-1, level B, with the signing time as a signed attribute. */
  CADES_BASELINE_B("CAdES-BASELINE-B"),

  /** ETSI EN 319 142-1, level B: for a PDF, which holds the signing time itself. */
  PADES_BASELINE_B("PAdES-BASELINE-B");

  private final String label;

  Container(String label) {
    this.label = label;
  }

  /** Returns the name in requests. */
  public String label() {
    return label;
  }

  @Override
  public String toString() {
    return label;
  }
}
