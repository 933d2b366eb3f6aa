package org.keywell.ca.issuance;

import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;

/** Chooses the signature algorithm that matches a CA key's strength. */
public final class SignatureAlgorithms {
  private SignatureAlgorithms() {}

  /**
   * Returns the JCA name of a CA key's signature algorithm: SHA-256 for RSA and for curves up to
   * 256 bits, SHA-384 and SHA-512 for larger curves (NIST SP 800-57, part 1, section 5.6.1.2).
   *
   * @throws IllegalArgumentException if the key is neither RSA nor EC
   */
  public static String forKey(PublicKey key) {
    return switch (key) {
      case RSAPublicKey rsa -> "SHA256withRSA";
      case ECPublicKey ec -> forFieldSize(ec.getParams().getCurve().getField().getFieldSize());
      default -> throw new IllegalArgumentException("no CA key can be " + key.getAlgorithm());
    };
  }

  private static String forFieldSize(int bits) {
    if (bits <= 256) {
      return "SHA256withECDSA";
    }
    return bits <= 384 ? "SHA384withECDSA" : "SHA512withECDSA";
  }
}
