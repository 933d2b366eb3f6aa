package org.keywell.ca;

/** The signature schemes of a {@link ProofOfPossession}; labels as in RFC 8017 and FIPS 204. */
public enum ProofScheme {
  /** RFC 8017, section 8.2. */
  RSASSA_PKCS1_V1_5("RSASSA-PKCS1-v1_5"),
  /**
   * RFC 8017, section 8.1, with MGF1 over the digest's hash function and a salt of the digest's
   * length.
   */
  RSASSA_PSS("RSASSA-PSS"),
  /** FIPS 186-5; a digest longer than the curve's order is truncated on the right. */
  ECDSA("ECDSA"),
  /** FIPS 204, algorithm 3, with an empty context; signs a message rather than its digest. */
  ML_DSA_44("ML-DSA-44"),
  ML_DSA_65("ML-DSA-65"),
  ML_DSA_87("ML-DSA-87");

  private final String label;

  ProofScheme(String label) {
    this.label = label;
  }

  /** Returns the name in requests, such as {@code RSASSA-PSS}. */
  public String label() {
    return label;
  }

  /** Whether a message itself is signed, where other schemes sign its digest. */
  public boolean signsMessages() {
    return switch (this) {
      case RSASSA_PKCS1_V1_5, RSASSA_PSS, ECDSA -> false;
      case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> true;
    };
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
