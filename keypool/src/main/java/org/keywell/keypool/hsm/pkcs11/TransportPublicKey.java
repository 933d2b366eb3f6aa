package org.keywell.keypool.hsm.pkcs11;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;

/** The public half of another token's transport pair: RSA with a modulus of 3072 bits. */
record TransportPublicKey(BigInteger modulus) {
  static final int BITS = 3072;
  private static final BigInteger EXPONENT = RSAKeyGenParameterSpec.F4;

  /**
   * Reads a DER {@code SubjectPublicKeyInfo}.
   *
   * @throws IllegalArgumentException if it is not such a key
   */
  static TransportPublicKey of(byte[] subjectPublicKeyInfo) {
    try {
      RSAPublicKey key =
          (RSAPublicKey)
              KeyFactory.getInstance("RSA")
                  .generatePublic(new X509EncodedKeySpec(subjectPublicKeyInfo));
      if (key.getModulus().bitLength() != BITS || !key.getPublicExponent().equals(EXPONENT)) {
        throw new IllegalArgumentException(
            "a transport key is RSA with %d bits and the exponent 65537, this one has %d bits"
                .formatted(BITS, key.getModulus().bitLength()));
      }
      return new TransportPublicKey(key.getModulus());
    } catch (GeneralSecurityException e) {
      // Without the cause: the message is complete, and operators see only such messages.
      throw new IllegalArgumentException("a transport key is an RSA public key, this one is not");
    }
  }

  static byte[] exponent() {
    return EXPONENT.toByteArray();
  }

  /** Returns {@code CKA_MODULUS}: big-endian, unsigned. */
  byte[] modulusBytes() {
    byte[] signed = modulus.toByteArray();
    return Arrays.copyOfRange(signed, signed.length - BITS / Byte.SIZE, signed.length);
  }
}
