package org.keywell.keypool.hsm.pkcs11;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.Map;
import org.keywell.keypool.hsm.DigestAlgorithm;

/** The prefixes of a digest in the {@code DigestInfo} of RFC 8017, section 9.2, note 1. */
final class DigestInfo {
  private static final Map<DigestAlgorithm, byte[]> PREFIXES = new EnumMap<>(DigestAlgorithm.class);

  static {
    for (DigestAlgorithm digest : DigestAlgorithm.values()) {
      PREFIXES.put(digest, HexFormat.of().parseHex(prefix(digest)));
    }
  }

  private DigestInfo() {}

  private static String prefix(DigestAlgorithm digest) {
    return switch (digest) {
      case SHA_256 -> "3031300d060960864801650304020105000420";
      case SHA_384 -> "3041300d060960864801650304020205000430";
      case SHA_512 -> "3051300d060960864801650304020305000440";
    };
  }

  /** Returns the DER. */
  static byte[] of(DigestAlgorithm algorithm, byte[] digest) {
    byte[] prefix = PREFIXES.getOrDefault(algorithm, new byte[0]);
    byte[] info = Arrays.copyOf(prefix, prefix.length + digest.length);
    System.arraycopy(digest, 0, info, prefix.length, digest.length);
    return info;
  }
}
