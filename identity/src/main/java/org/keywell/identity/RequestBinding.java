package org.keywell.identity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The value in a ticket that was issued for the documents of one act: base64url (RFC 4648, section
 * 5, without padding) of SHA-256 over {@code keywell-1:}, the digests' algorithm and, for each
 * digest in order, a colon and the digest in base64, as in the request.
 */
public final class RequestBinding {

  private RequestBinding() {}

  public static String of(String digestAlgorithm, List<byte[]> digests) {
    String text =
        "keywell-1:%s:%s"
            .formatted(
                digestAlgorithm,
                digests.stream()
                    .map(Base64.getEncoder()::encodeToString)
                    .collect(Collectors.joining(":")));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(text.getBytes(US_ASCII)));
  }

  public static byte[] sha256(byte[] text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
