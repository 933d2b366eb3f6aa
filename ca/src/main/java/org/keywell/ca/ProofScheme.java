package org.keywell.ca;

/** The signature schemes of a {@link ProofOfPossession}; labels as in RFC 8017. */
public enum ProofScheme {
  /** RFC 8017, section 8.2. */
  RSASSA_PKCS1_V1_5("RSASSA-PKCS1-v1_5"),
  /**
   * RFC 8017, section 8.1, with MGF1 over the digest's hash function and a salt of the digest's
   * length.
   */
  RSASSA_PSS("RSASSA-PSS"),
  /** FIPS 186-5; a digest longer than the curve's order is truncated on the right. */
  ECDSA("ECDSA");

  private final String label;

  ProofScheme(String label) {
    this.label = label;
  }

  /** Returns the name in requests, such as {@code RSASSA-PSS}. */
  public String label() {
    return label;
  }

  /**
   * Returns the scheme with exactly the given {@link #label()}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ProofScheme ofLabel(String label) {
    for (ProofScheme scheme : values()) {
      if (scheme.label.equals(label)) {
        return scheme;
      }
    }
    throw new IllegalArgumentException("unknown signature scheme '" + label + "'");
  }

  @Override
  public String toString() {
    return label;
  }
}
