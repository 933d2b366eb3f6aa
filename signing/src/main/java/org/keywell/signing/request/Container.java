package org.keywell.signing.request;

/**
 * A wrapper for a digest's signature: a detached {@code SignedData} (RFC 5652) whose signed
 * attributes name the signer's certificate.
 */
public enum Container {
  /** ETSI EN 319 122-1, level B-B: includes the signing time. */
  CADES_BASELINE_B("CAdES-BASELINE-B"),
  /** ETSI EN 319 142-1, level B-B: the signing time is in the PDF and must not be in here. */
  PADES_BASELINE_B("PAdES-BASELINE-B");

  private final String label;

  Container(String label) {
    this.label = label;
  }

  /**
   * Returns the container with the given {@link #label}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Container ofLabel(String label) {
    for (Container container : values()) {
      if (container.label().equals(label)) {
        return container;
      }
    }
    throw new IllegalArgumentException("there is no container " + label);
  }

  /** Returns the name in requests and records, such as {@code CAdES-BASELINE-B}. */
  public String label() {
    return label;
  }
}
