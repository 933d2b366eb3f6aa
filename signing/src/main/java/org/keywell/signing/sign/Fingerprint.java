package org.keywell.signing.sign;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * SHA-256 over a sequence of values, each preceded by its length, so that none runs into the next.
 */
final class Fingerprint {

  private static final int ABSENT = -1;

  private final MessageDigest digest;

  Fingerprint() {
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Adds a text, or its absence, which differs from every text. */
  Fingerprint add(@Nullable String value) {
    if (value == null) {
      addLength(ABSENT);
      return this;
    }
    return add(value.getBytes(StandardCharsets.UTF_8));
  }

  Fingerprint add(byte[] value) {
    addLength(value.length);
    digest.update(value);
    return this;
  }

  private void addLength(int length) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, length));
  }

  byte[] sha256() {
    return digest.digest();
  }
}
