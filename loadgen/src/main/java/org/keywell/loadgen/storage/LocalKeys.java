package org.keywell.loadgen.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** A key manager in software: an AES-256 key in a file, which is read for each use. */
record LocalKeys(Path file) implements DataKeys {
  private static final int KEY_BYTES = 32;
  private static final int IV_BYTES = 12;
  private static final int TAG_BITS = 128;

  /** Makes the key. */
  static LocalKeys create(Path file) throws IOException {
    Files.write(file, random(KEY_BYTES));
    return new LocalKeys(file);
  }

  static byte[] random(int bytes) {
    byte[] random = new byte[bytes];
    new SecureRandom().nextBytes(random);
    return random;
  }

  @Override
  public byte[] wrap(byte[] key) throws IOException {
    byte[] iv = random(IV_BYTES);
    byte[] encrypted = crypt(Cipher.ENCRYPT_MODE, iv, key);
    byte[] wrapped = Arrays.copyOf(iv, IV_BYTES + encrypted.length);
    System.arraycopy(encrypted, 0, wrapped, IV_BYTES, encrypted.length);
    return wrapped;
  }

  @Override
  public byte[] unwrap(byte[] wrapped) throws IOException {
    return crypt(
        Cipher.DECRYPT_MODE,
        Arrays.copyOf(wrapped, IV_BYTES),
        Arrays.copyOfRange(wrapped, IV_BYTES, wrapped.length));
  }

  private byte[] crypt(int mode, byte[] iv, byte[] text) throws IOException {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      SecretKeySpec key = new SecretKeySpec(Files.readAllBytes(file), "AES");
      cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, iv));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IOException("the local key manager has another key: " + e.getMessage(), e);
    }
  }
}
