package org.keywell.keypool.hsm;

/** How a digest or a message is signed; named as in RFC 8017 and in JCA. */
public enum SignatureScheme {
  /** RSASSA-PKCS1-v1_5 (RFC 8017, section 8.2). */
  RSASSA_PKCS1_V1_5("RSASSA-PKCS1-v1_5", false),
  /**
   * RSASSA-PSS (RFC 8017, section 8.1) with MGF1 over the digest's own hash function and a salt as
   * long as the digest.
   */
  RSASSA_PSS("RSASSA-PSS", false),
  /** ECDSA; the signature is the DER {@code Ecdsa-Sig-Value} of RFC 3279, section 2.2.3. */
  ECDSA("ECDSA", false),
  /** ML-DSA (FIPS 204, algorithm 2), not HashML-DSA: hedged if the device can, no context. */
  ML_DSA_44("ML-DSA-44", true),
  ML_DSA_65("ML-DSA-65", true),
  ML_DSA_87("ML-DSA-87", true);

  private final String label;
  private final boolean signsMessages;

  SignatureScheme(String label, boolean signsMessages) {
    this.label = label;
    this.signsMessages = signsMessages;
  }

  /** Returns the name in requests, such as {@code RSASSA-PSS}. */
  public String label() {
    return label;
  }

  /** Whether a message itself is signed, where other schemes sign its digest. */
  public boolean signsMessages() {
    return signsMessages;
  }

  /** Whether keys of the given kind can sign with this scheme. */
  public boolean fits(KeySpec spec) {
    return spec.signsBy(this);
  }

  @Override
  public String toString() {
    return label;
  }
}
