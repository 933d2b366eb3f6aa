package org.keywell.loadgen.drive;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The signed contents: a text per request, derived from the run's seed and the request's number. It
 * can be recreated to check the signature over it.
 */
public record NumberedContent(long seed) {
  public static final String DIGEST = "SHA-256";

  public byte[] of(int request) {
    return "keywell load %016x %d".formatted(seed, request).getBytes(StandardCharsets.US_ASCII);
  }

  public byte[] digestOf(int request) {
    try {
      return MessageDigest.getInstance(DIGEST).digest(of(request));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + DIGEST, e);
    }
  }
}
