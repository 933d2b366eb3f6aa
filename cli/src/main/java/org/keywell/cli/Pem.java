package org.keywell.cli;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The textual encoding of certificates (RFC 7468). */
final class Pem {
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private Pem() {}

  static String certificates(List<byte[]> ders) {
    StringBuilder pem = new StringBuilder();
    for (byte[] der : ders) {
      pem.append("-----BEGIN CERTIFICATE-----\n")
          .append(LINES.encodeToString(der))
          .append("\n-----END CERTIFICATE-----\n");
    }
    return pem.toString();
  }
}
