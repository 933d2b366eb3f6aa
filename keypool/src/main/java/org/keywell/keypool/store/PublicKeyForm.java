package org.keywell.keypool.store;

import java.util.Arrays;
import java.util.HexFormat;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.keypool.hsm.KeySpec.Algorithm;

/**
 * The only encoding that a stored public key may have: DER, with the exponent 65537, or with the
 * named curve and an uncompressed point. All keys of a kind share the octets before and after the
 * modulus or point, so encodings that differ in any octet are different keys. The database enforces
 * the same on new rows: {@code pool_key_one_encoding}.
 */
final class PublicKeyForm {

  private static final byte[] RSA_EXPONENT = HexFormat.of().parseHex("0203010001");
  private static final byte[] NOTHING = {};

  private PublicKeyForm() {}

  static boolean fits(KeySpec spec, byte[] publicKey) {
    boolean rsa = spec.algorithm() == Algorithm.RSA;
    byte[] head = HexFormat.of().parseHex(head(spec));
    byte[] tail = rsa ? RSA_EXPONENT : NOTHING;
    int end = head.length + (rsa ? 1 : 2) * spec.bits() / Byte.SIZE;
    return publicKey.length == end + tail.length
        && Arrays.equals(publicKey, 0, head.length, head, 0, head.length)
        && Arrays.equals(publicKey, end, publicKey.length, tail, 0, tail.length);
  }

  private static String head(KeySpec spec) {
    return switch (spec) {
      case RSA_2048 -> "30820122300d06092a864886f70d01010105000382010f003082010a0282010100";
      case RSA_3072 -> "308201a2300d06092a864886f70d01010105000382018f003082018a0282018100";
      case RSA_4096 -> "30820222300d06092a864886f70d01010105000382020f003082020a0282020100";
      case EC_P256 -> "3059301306072a8648ce3d020106082a8648ce3d03010703420004";
      case EC_P384 -> "3076301006072a8648ce3d020106052b8104002203620004";
    };
  }
}
