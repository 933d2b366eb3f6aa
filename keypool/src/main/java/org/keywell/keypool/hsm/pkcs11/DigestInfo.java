package org.keywell.keypool.hsm.pkcs11;

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

  /** Writes the {@code DigestInfo} to the session's input; returns its length in bytes. */
  static int put(Session session, DigestAlgorithm algorithm, byte[] digest) {
    byte[] prefix = PREFIXES.getOrDefault(algorithm, new byte[0]);
    session.put(0, prefix, prefix.length);
    session.put(prefix.length, digest, digest.length);
    return prefix.length + digest.length;
  }
}
