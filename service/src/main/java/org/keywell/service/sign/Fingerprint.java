package org.keywell.service.sign;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 over a sequence of values, each preceded by its length, so that none runs into the next.
 */
final class Fingerprint {

  private final MessageDigest digest;

  Fingerprint() {
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  Fingerprint add(String value) {
    return add(value.getBytes(StandardCharsets.UTF_8));
  }

  Fingerprint add(byte[] value) {
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, value.length));
    digest.update(value);
    return this;
  }

  byte[] sha256() {
    return digest.digest();
  }
}
