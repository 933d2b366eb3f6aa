package org.keywell.keypool.store;

import java.util.Arrays;
import java.util.HexFormat;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.KeySpec.Algorithm;

/**
 * The only encoding that a stored public key may have: DER, with the exponent 65537, with the named
 * curve and an uncompressed point, or without parameters. All keys of a kind share the octets
 * before and after the modulus, point or ML-DSA key, so encodings that differ in any octet are
 * different keys. The database enforces the same on new rows: {@code pool_key_one_encoding}.
 */
final class PublicKeyForm {

  private static final byte[] RSA_EXPONENT = HexFormat.of().parseHex("0203010001");
  private static final byte[] NOTHING = {};

  private PublicKeyForm() {}

  static boolean fits(KeySpec spec, byte[] publicKey) {
    boolean rsa = spec.algorithm() == Algorithm.RSA;
    byte[] head = HexFormat.of().parseHex(spec.encodingHead());
    byte[] tail = rsa ? RSA_EXPONENT : NOTHING;
    int numbers = spec.algorithm() == Algorithm.EC ? 2 : 1;
    int end = head.length + numbers * spec.bits() / Byte.SIZE;
    return publicKey.length == end + tail.length
        && Arrays.equals(publicKey, 0, head.length, head, 0, head.length)
        && Arrays.equals(publicKey, end, publicKey.length, tail, 0, tail.length);
  }
}
