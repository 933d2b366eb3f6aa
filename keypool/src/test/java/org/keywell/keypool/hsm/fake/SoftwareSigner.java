package org.keywell.keypool.hsm.fake;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.RSAPrivateKey;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import org.keywell.keypool.hsm.DigestAlgorithm;
import org.keywell.keypool.hsm.SignatureScheme;

/** Signs digests with keys in memory, which JCA offers for ECDSA only. */
final class SoftwareSigner {
  private static final SecureRandom RANDOM = new SecureRandom();

  private SoftwareSigner() {}

  static byte[] sign(
      PrivateKey key, SignatureScheme scheme, DigestAlgorithm algorithm, byte[] digest)
      throws GeneralSecurityException {
    return switch (scheme) {
      case ECDSA -> jca("NONEwithECDSA", key, digest);
      case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> jca(scheme.label(), key, digest);
      case RSASSA_PKCS1_V1_5 ->
          rsa(key, "RSA/ECB/PKCS1Padding", concat(digestInfoPrefix(algorithm), digest));
      case RSASSA_PSS ->
          rsa(key, "RSA/ECB/NoPadding", emsaPss((RSAPrivateKey) key, algorithm, digest));
    };
  }

  private static byte[] jca(String algorithm, PrivateKey key, byte[] digest)
      throws GeneralSecurityException {
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(key);
    signature.update(digest);
    return signature.sign();
  }

  private static byte[] rsa(PrivateKey key, String transformation, byte[] data)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(transformation);
    cipher.init(Cipher.ENCRYPT_MODE, key);
    return cipher.doFinal(data);
  }

  private static byte[] digestInfoPrefix(DigestAlgorithm algorithm) {
    return HexFormat.of()
        .parseHex(
            switch (algorithm) {
              case SHA_256 -> "3031300d060960864801650304020105000420";
              case SHA_384 -> "3041300d060960864801650304020205000430";
              case SHA_512 -> "3051300d060960864801650304020305000440";
            });
  }

  /** RFC 8017, section 9.1.1, for moduli of whole bytes. */
  private static byte[] emsaPss(RSAPrivateKey key, DigestAlgorithm algorithm, byte[] digest)
      throws GeneralSecurityException {
    int length = key.getModulus().bitLength() / 8;
    byte[] salt = new byte[algorithm.lengthBytes()];
    RANDOM.nextBytes(salt);
    MessageDigest hash = MessageDigest.getInstance(algorithm.label());
    byte[] h = hash.digest(concat(new byte[8], digest, salt));
    byte[] db = new byte[length - h.length - 1];
    db[db.length - salt.length - 1] = 1;
    System.arraycopy(salt, 0, db, db.length - salt.length, salt.length);
    byte[] masked = xor(db, mgf1(hash, h, db.length));
    masked[0] &= 0x7F;
    return concat(masked, h, new byte[] {(byte) 0xBC});
  }

  private static byte[] mgf1(MessageDigest hash, byte[] seed, int length) {
    byte[] mask = new byte[0];
    for (int counter = 0; mask.length < length; counter++) {
      byte[] i = BigInteger.valueOf(0x1_0000_0000L + counter).toByteArray();
      mask = concat(mask, hash.digest(concat(seed, Arrays.copyOfRange(i, 1, 5))));
    }
    return Arrays.copyOf(mask, length);
  }

  private static byte[] xor(byte[] a, byte[] b) {
    byte[] result = new byte[a.length];
    for (int i = 0; i < a.length; i++) {
      result[i] = (byte) (a[i] ^ b[i]);
    }
    return result;
  }

  private static byte[] concat(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    byte[] result = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, result, at, part.length);
      at += part.length;
    }
    return result;
  }
}
