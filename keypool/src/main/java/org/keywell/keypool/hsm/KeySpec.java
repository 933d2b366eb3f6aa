package org.keywell.keypool.hsm;

import java.util.List;
import java.util.stream.Stream;

/**
 * The kinds of one-time key pairs: a table with a row for each. Each configured kind has its own
 * pool. What PKCS#11 has to know of a kind is in the device's own table.
 */
public enum KeySpec {
  /** RSA with a 2048-bit modulus, the key of the thesis and the default. */
  RSA_2048(
      Algorithm.RSA, 2048, "30820122300d06092a864886f70d01010105000382010f003082010a0282010100"),
  RSA_3072(
      Algorithm.RSA, 3072, "308201a2300d06092a864886f70d01010105000382018f003082018a0282018100"),
  RSA_4096(
      Algorithm.RSA, 4096, "30820222300d06092a864886f70d01010105000382020f003082020a0282020100"),
  /** NIST P-256, also called secp256r1 and prime256v1. */
  EC_P256(Algorithm.EC, 256, "3059301306072a8648ce3d020106082a8648ce3d03010703420004"),
  /** NIST P-384, also called secp384r1. */
  EC_P384(Algorithm.EC, 384, "3076301006072a8648ce3d020106052b8104002203620004"),
  /** ML-DSA (FIPS 204), certified as RFC 9881 says. Not every module makes these. */
  ML_DSA_44(
      SignatureScheme.ML_DSA_44,
      1312,
      DigestAlgorithm.SHA_256,
      "30820532300b06096086480165030403110382052100"),
  ML_DSA_65(
      SignatureScheme.ML_DSA_65,
      1952,
      DigestAlgorithm.SHA_384,
      "308207b2300b0609608648016503040312038207a100"),
  ML_DSA_87(
      SignatureScheme.ML_DSA_87,
      2592,
      DigestAlgorithm.SHA_512,
      "30820a32300b060960864801650304031303820a2100");

  /** The public-key algorithm of a key pair. */
  public enum Algorithm {
    RSA("RSA"),
    EC("EC"),
    ML_DSA("ML-DSA");

    private final String jcaName;

    Algorithm(String jcaName) {
      this.jcaName = jcaName;
    }

    /** Returns the name of its {@link java.security.KeyFactory}. */
    public String jcaName() {
      return jcaName;
    }
  }

  private final String label = name().replace('_', '-');
  private final Algorithm algorithm;
  private final int bits;
  private final SignatureScheme defaultScheme;
  private final DigestAlgorithm leastDigest;
  private final String encodingHead;

  KeySpec(Algorithm algorithm, int bits, String encodingHead) {
    this(
        algorithm,
        bits,
        algorithm == Algorithm.RSA ? SignatureScheme.RSASSA_PKCS1_V1_5 : SignatureScheme.ECDSA,
        DigestAlgorithm.SHA_256,
        encodingHead);
  }

  KeySpec(
      SignatureScheme scheme, int publicBytes, DigestAlgorithm leastDigest, String encodingHead) {
    this(Algorithm.ML_DSA, publicBytes * Byte.SIZE, scheme, leastDigest, encodingHead);
  }

  KeySpec(
      Algorithm algorithm,
      int bits,
      SignatureScheme defaultScheme,
      DigestAlgorithm leastDigest,
      String encodingHead) {
    this.algorithm = algorithm;
    this.bits = bits;
    this.defaultScheme = defaultScheme;
    this.leastDigest = leastDigest;
    this.encodingHead = encodingHead;
  }

  /** Returns the name in requests, configuration, database and metrics, e.g. {@code RSA-2048}. */
  public String label() {
    return label;
  }

  public Algorithm algorithm() {
    return algorithm;
  }

  /** Returns the length of the RSA modulus, the curve's field or the ML-DSA public key, in bits. */
  public int bits() {
    return bits;
  }

  /** Returns the scheme if none is named; it needs no parameters. */
  public SignatureScheme defaultScheme() {
    return defaultScheme;
  }

  boolean signsBy(SignatureScheme scheme) {
    return scheme == defaultScheme
        || (scheme == SignatureScheme.RSASSA_PSS && algorithm == Algorithm.RSA);
  }

  /**
   * Whether a document's digest by this hash function may go into data that the key signs. For
   * ML-DSA, RFC 9882, section 3.3, names those that are as strong as the key.
   */
  public boolean isStrongEnough(DigestAlgorithm digest) {
    return digest.compareTo(leastDigest) >= 0;
  }

  /**
   * Returns the octets, in hex, with which each DER {@code SubjectPublicKeyInfo} of this kind
   * starts, up to the modulus, the point's coordinates or the ML-DSA public key.
   */
  public String encodingHead() {
    return encodingHead;
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
        "unknown key spec '" + label + "'; known: " + String.join(", ", labels()));
  }

  /** Returns all labels, in the order of the table. */
  public static List<String> labels() {
    return Stream.of(values()).map(KeySpec::label).toList();
  }

  @Override
  public String toString() {
    return label;
  }
}
