package org.keywell.ca.token;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Provider;
import java.security.ProviderException;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.RSAKeyGenParameterSpec;

/** The kinds of keys that the CA has, and of those that it certifies for the service itself. */
public enum CaKeySpec {
  /** The default: an HSM signs tens of times faster with it than with RSA. */
  EC_P256("EC-P256", "EC", 256),
  EC_P384("EC-P384", "EC", 384),
  RSA_3072("RSA-3072", "RSA", 3072),
  RSA_4096("RSA-4096", "RSA", 4096);

  private final String label;
  private final String algorithm;
  private final int bits;

  CaKeySpec(String label, String algorithm, int bits) {
    this.label = label;
    this.algorithm = algorithm;
    this.bits = bits;
  }

  /** Returns the name in configuration, such as {@code EC-P256}. */
  public String label() {
    return label;
  }

  /**
   * Returns the kind with exactly the given {@link #label()}.
   *
   * @throws IllegalArgumentException if there is none; the message lists the known labels
   */
  public static CaKeySpec ofLabel(String label) {
    for (CaKeySpec spec : values()) {
      if (spec.label.equals(label)) {
        return spec;
      }
    }
    throw new IllegalArgumentException(
        "unknown CA key spec '" + label + "'; known: EC-P256, EC-P384, RSA-3072, RSA-4096");
  }

  /** Whether a key is of this kind. */
  boolean isOf(PublicKey key) {
    return switch (key) {
      case ECPublicKey ec ->
          algorithm.equals("EC") && ec.getParams().getCurve().getField().getFieldSize() == bits;
      case RSAPublicKey rsa -> algorithm.equals("RSA") && rsa.getModulus().bitLength() == bits;
      default -> false;
    };
  }

  KeyPair generate(Provider provider) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm, provider);
      generator.initialize(parameters());
      return generator.generateKeyPair();
    } catch (GeneralSecurityException | ProviderException e) {
      throw new CaTokenException(
          CaTokenException.Reason.FAILED, "a key pair " + label + " cannot be generated", e);
    }
  }

  private AlgorithmParameterSpec parameters() {
    return switch (this) {
      case EC_P256 -> new ECGenParameterSpec("secp256r1");
      case EC_P384 -> new ECGenParameterSpec("secp384r1");
      case RSA_3072, RSA_4096 -> new RSAKeyGenParameterSpec(bits, RSAKeyGenParameterSpec.F4);
    };
  }

  @Override
  public String toString() {
    return label;
  }
}
