package org.keywell.protection;

import java.security.GeneralSecurityException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/** AES-GCM without additional data, as the JDK has it: ciphertext, then the tag. */
final class Gcm {

  static final int TAG_BYTES = 16;
  static final int NONCE_BYTES = 12;

  private Gcm() {}

  static byte[] run(int mode, SecretKey key, byte[] nonce, byte[] input)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(8 * TAG_BYTES, nonce));
    return cipher.doFinal(input);
  }
}
