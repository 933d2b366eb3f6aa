package org.keywell.keypool.hsm;

/** How a digest is signed; named as in RFC 8017 and in JCA. */
public enum SignatureScheme {
  /** RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2). */
  RSASSA_PKCS1_V1_5("RSASSA-PKCS1-v1_5", KeySpec.Algorithm.RSA),
  /**
   * RSASSA-PSS (RFC 8017, section 8.1) with MGF1 over the digest's own hash function and a salt as
   * long as the digest.
   */
  RSASSA_PSS("RSASSA-PSS", KeySpec.Algorithm.RSA),
  /** ECDSA; the signature is the DER {@code Ecdsa-Sig-Value} of RFC 3279, section 2.2.3. */
  ECDSA("ECDSA", KeySpec.Algorithm.EC);

  private final String label;
  private final KeySpec.Algorithm algorithm;

  SignatureScheme(String label, KeySpec.Algorithm algorithm) {
    this.label = label;
    this.algorithm = algorithm;
  }

  /** Returns the name in requests, such as {@code RSASSA-PSS}. */
  public String label() {
    return label;
  }

  /** Whether keys of the given kind can sign with this scheme. */
  public boolean fits(KeySpec spec) {
    return spec.algorithm() == algorithm;
  }

  @Override
  public String toString() {
    return label;
  }
}
