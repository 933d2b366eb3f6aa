package org.keywell.keypool.hsm.pkcs11;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.SignatureScheme;

/**
 * Verifies an RSA signature of a digest as in RFC 8017, sections 8.1.2 and 8.2.2. JCA verifies PSS
 * only if it has the whole message.
 */
final class RsaVerification {
  private static final int PSS_TRAILER = 0xbc;

  private final BigInteger modulus;
  private final BigInteger publicExponent;

  RsaVerification(BigInteger modulus, BigInteger publicExponent) {
    this.modulus = modulus;
    this.publicExponent = publicExponent;
  }

  /** With PSS, MGF1 and the salt's length follow the hash, as in {@link Mechanisms#signing}. */
  boolean verifies(
      SignatureScheme scheme, DigestAlgorithm algorithm, byte[] digest, byte[] signature) {
    BigInteger number = new BigInteger(1, signature);
    int bytes = (modulus.bitLength() + 7) / 8;
    if (signature.length != bytes || number.compareTo(modulus) >= 0) {
      return false;
    }
    byte[] encoded = leftPadded(number.modPow(publicExponent, modulus), bytes);
    return switch (scheme) {
      case RSASSA_PKCS1_V1_5 -> Arrays.equals(encoded, pkcs1(algorithm, digest, bytes));
      case RSASSA_PSS -> isPss(algorithm, digest, encoded);
      case ECDSA, ML_DSA_44, ML_DSA_65, ML_DSA_87 ->
          throw new IllegalArgumentException(scheme + " does not fit an RSA key");
    };
  }

  private static byte[] leftPadded(BigInteger number, int bytes) {
    byte[] magnitude = number.toByteArray();
    int sign = Math.max(0, magnitude.length - bytes);
    byte[] padded = new byte[bytes];
    int length = magnitude.length - sign;
    System.arraycopy(magnitude, sign, padded, bytes - length, length);
    return padded;
  }

  /** EMSA-PKCS1-v1_5 (section 9.2). */
  private static byte[] pkcs1(DigestAlgorithm algorithm, byte[] digest, int bytes) {
    byte[] info = DigestInfo.of(algorithm, digest);
    byte[] encoded = new byte[bytes];
    Arrays.fill(encoded, 2, bytes - info.length - 1, (byte) 0xff);
    encoded[1] = 1;
    System.arraycopy(info, 0, encoded, bytes - info.length, info.length);
    return encoded;
  }

  /** EMSA-PSS (section 9.1.2), for moduli whose length in bits is a multiple of 8. */
  private static boolean isPss(DigestAlgorithm algorithm, byte[] digest, byte[] encoded) {
    int saltStart = encoded.length - 2 * digest.length - 1;
    int hashStart = encoded.length - digest.length - 1;
    byte[] block = Arrays.copyOf(encoded, hashStart);
    byte[] hash = Arrays.copyOfRange(encoded, hashStart, encoded.length - 1);
    byte[] mask = mgf1(algorithm, hash, hashStart);
    for (int i = 0; i < hashStart; i++) {
      block[i] ^= mask[i];
    }
    block[0] &= 0x7f;
    byte[] padding = new byte[saltStart];
    padding[saltStart - 1] = 1;
    byte[] salt = Arrays.copyOfRange(block, saltStart, hashStart);
    return encoded[0] >= 0
        && (encoded[encoded.length - 1] & 0xff) == PSS_TRAILER
        && Arrays.equals(block, 0, saltStart, padding, 0, saltStart)
        && Arrays.equals(hash, hash(algorithm, new byte[8], digest, salt));
  }

  /** The mask generation function of appendix B.2.1. */
  private static byte[] mgf1(DigestAlgorithm algorithm, byte[] seed, int bytes) {
    byte[] mask = new byte[bytes];
    for (int at = 0; at < bytes; at += seed.length) {
      byte[] counter = {0, 0, 0, (byte) (at / seed.length)};
      byte[] part = hash(algorithm, seed, counter);
      System.arraycopy(part, 0, mask, at, Math.min(part.length, bytes - at));
    }
    return mask;
  }

  private static byte[] hash(DigestAlgorithm algorithm, byte[]... parts) {
    try {
      MessageDigest hash = MessageDigest.getInstance(algorithm.label());
      for (byte[] part : parts) {
        hash.update(part);
      }
      return hash.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(algorithm + " is in every JDK", e);
    }
  }
}
