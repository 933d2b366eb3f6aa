package org.keywell.client;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;

/** Matches private keys with public keys. */
final class KeyPairs {
  private static final byte[] SAMPLE = new byte[32];

  private KeyPairs() {}

  /**
   * Whether the public key verifies what the private key signs.
   *
   * @throws GeneralSecurityException if Java cannot sign with this kind of key
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
      return false; // different size or curve
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
