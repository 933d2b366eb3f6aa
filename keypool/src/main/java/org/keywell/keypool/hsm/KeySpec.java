package org.keywell.keypool.hsm;

/** The kinds of one-time key pairs. Each configured kind has its own pool. */
public enum KeySpec {
  /** RSA with a 2048-bit modulus, the key of the thesis and the default. */
  RSA_2048("RSA-2048", Algorithm.RSA, 2048),
  RSA_3072("RSA-3072", Algorithm.RSA, 3072),
  RSA_4096("RSA-4096", Algorithm.RSA, 4096),
  /** NIST P-256, also called secp256r1 and prime256v1. */
  EC_P256("EC-P256", Algorithm.EC, 256),
  /** NIST P-384, also called secp384r1. */
  EC_P384("EC-P384", Algorithm.EC, 384);

  /** The public-key algorithm of a key pair. */
  public enum Algorithm {
    RSA,
    EC
  }

  private final String label;
  private final Algorithm algorithm;
  private final int bits;

  KeySpec(String label, Algorithm algorithm, int bits) {
    this.label = label;
    this.algorithm = algorithm;
    this.bits = bits;
  }

  /** Returns the name in requests, configuration, database and metrics, e.g. {@code RSA-2048}. */
  public String label() {
    return label;
  }

  public Algorithm algorithm() {
    return algorithm;
  }

  /** Returns the length of the RSA modulus, or of the curve's field, in bits. */
  public int bits() {
    return bits;
  }

  /**
   * Returns the kind with exactly the given {@link #label()}.
   *
   * @throws IllegalArgumentException if there is none; the message lists the known labels
   */
  public static KeySpec ofLabel(String label) {
    for (KeySpec spec : values()) {
      if (spec.label.equals(label)) {
        return spec;
      }
    }
    throw new IllegalArgumentException(
        "unknown key spec '" + label + "'; known: RSA-2048, RSA-3072, RSA-4096, EC-P256, EC-P384");
  }

  @Override
  public String toString() {
    return label;
  }
}
