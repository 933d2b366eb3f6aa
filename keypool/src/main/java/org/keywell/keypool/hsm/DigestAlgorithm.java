package org.keywell.keypool.hsm;

/** The hash functions (FIPS 180-4) whose digests can be signed. */
public enum DigestAlgorithm {
  SHA_256("SHA-256", 32),
  SHA_384("SHA-384", 48),
  SHA_512("SHA-512", 64);

  private final String label;
  private final int lengthBytes;

  DigestAlgorithm(String label, int lengthBytes) {
    this.label = label;
    this.lengthBytes = lengthBytes;
  }

  /**
   * Returns the algorithm with the given {@link #label}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static DigestAlgorithm ofLabel(String label) {
    for (DigestAlgorithm algorithm : values()) {
      if (algorithm.label.equals(label)) {
        return algorithm;
      }
    }
    throw new IllegalArgumentException("there is no digest algorithm " + label);
  }

  /** Returns the name used in requests and JCA, such as {@code SHA-256}. */
  public String label() {
    return label;
  }

  /** Returns the length of a digest in bytes. */
  public int lengthBytes() {
    return lengthBytes;
  }

  @Override
  public String toString() {
    return label;
  }
}
