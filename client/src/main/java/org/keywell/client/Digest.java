package org.keywell.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash functions of the digests that the service accepts. */
public enum Digest {
  SHA_256("SHA-256", "SHA256"),
  SHA_384("SHA-384", "SHA384"),
  SHA_512("SHA-512", "SHA512");

  private static final int BUFFER_BYTES = 1 << 16;

  private final String label;
  private final String nameInSignatures;

  Digest(String label, String nameInSignatures) {
    this.label = label;
    this.nameInSignatures = nameInSignatures;
  }

  /** Returns the name in requests and in JCA, such as {@code SHA-256}. */
  public String label() {
    return label;
  }

  /** Returns the name within JCA signature algorithms: {@code SHA256} in SHA256withRSA. */
  String nameInSignatures() {
    return nameInSignatures;
  }

  /** Returns the digest of a file, which may be larger than memory: it is read in pieces. */
  public byte[] of(Path file) throws IOException {
    MessageDigest digest = newMessageDigest();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        digest.update(buffer, 0, read);
      }
    }
    return digest.digest();
  }

  private MessageDigest newMessageDigest() {
    try {
      return MessageDigest.getInstance(label);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java runtime has no " + label, e);
    }
  }

  @Override
  public String toString() {
    return label;
  }
}
