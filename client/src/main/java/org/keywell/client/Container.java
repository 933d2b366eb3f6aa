package org.keywell.client;

/** What the service can put a signature into by itself: a detached CMS of an AdES baseline form. */
public enum Container {
  /** ETSI EN 319 122-1, level B, with the signing time among the signed attributes. */
  CADES_BASELINE_B("CAdES-BASELINE-B"),

  /** ETSI EN 319 142-1, level B: for a PDF, which has the signing time itself. */
  PADES_BASELINE_B("PAdES-BASELINE-B");

  private final String label;

  Container(String label) {
    this.label = label;
  }

  /** The name in requests. */
  public String label() {
    return label;
  }

  @Override
  public String toString() {
    return label;
  }
}
