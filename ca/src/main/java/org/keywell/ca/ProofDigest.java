package org.keywell.ca;

/** The hash functions (FIPS 180-4) of a {@link ProofOfPossession}. */
public enum ProofDigest {
  SHA_256("SHA-256", 32),
  SHA_384("SHA-384", 48),
  SHA_512("SHA-512", 64);

  private final String label;
  private final int lengthBytes;

  ProofDigest(String label, int lengthBytes) {
    this.label = label;
    this.lengthBytes = lengthBytes;
  }

  /** Returns the name in requests and in JCA, such as {@code SHA-256}. */
  public String label() {
    return label;
  }

  /** Returns the length of a digest, in bytes. */
  public int lengthBytes() {
    return lengthBytes;
  }

  /**
   * Returns the hash function with exactly the given {@link #label()}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ProofDigest ofLabel(String label) {
    for (ProofDigest digest : values()) {
      if (digest.label.equals(label)) {
        return digest;
      }
    }
    throw new IllegalArgumentException("unknown digest algorithm '" + label + "'");
  }

  @Override
  public String toString() {
    return label;
  }
}
