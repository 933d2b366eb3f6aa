package org.keywell.client;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;

/** Which private key belongs to which public one. */
final class KeyPairs {
  private static final byte[] SAMPLE = new byte[32];

  private KeyPairs() {}

  /**
   * Whether what the one signs the other verifies.
   *
   * @throws GeneralSecurityException if Java cannot sign with keys of that kind
   */
  static boolean belongTogether(PublicKey publicKey, PrivateKey privateKey)
      throws GeneralSecurityException {
    if (!publicKey.getAlgorithm().equals(privateKey.getAlgorithm())) {
      return false;
    }
    Signature signature = Signature.getInstance(algorithm(privateKey));
    signature.initSign(privateKey);
    signature.update(SAMPLE);
    byte[] value = signature.sign();
    try {
      signature.initVerify(publicKey);
      signature.update(SAMPLE);
      return signature.verify(value);
    } catch (InvalidKeyException | SignatureException e) {
      return false; // of another size or curve
    }
  }

  private static String algorithm(PrivateKey key) {
    return switch (key.getAlgorithm()) {
      case "EC" -> "SHA256withECDSA";
      case "RSA" -> "SHA256withRSA";
      default -> key.getAlgorithm();
    };
  }
}
