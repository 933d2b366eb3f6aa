package org.keywell.keypool.hsm.pkcs11;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.hsm.HsmException.Reason;

/**
 * Makes and applies {@link TokenAesKey#check}: an IV, and the key's id under AES-GCM with its label
 * as additional data.
 */
final class AesKeyCheck {
  private static final int IV_BYTES = 12;
  private static final int TAG_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private AesKeyCheck() {}

  static TokenAesKey make(Cipher cipher, String label, byte[] id) {
    byte[] iv = new byte[IV_BYTES];
    RANDOM.nextBytes(iv);
    byte[] sealed = cipher.run(true, call(iv, label), id);
    byte[] check = Arrays.copyOf(iv, IV_BYTES + sealed.length);
    System.arraycopy(sealed, 0, check, IV_BYTES, sealed.length);
    return new TokenAesKey(label, id, check);
  }

  /**
   * Checks that the cipher's key is the one meant.
   *
   * @throws HsmException with {@link Reason#FAILED} if it is another
   */
  static void require(Cipher cipher, TokenAesKey key) {
    if (!decryptsToId(cipher, key)) {
      throw new HsmException(
          Reason.FAILED, "the token has another key under the id of '%s'".formatted(key.label()));
    }
  }

  private static boolean decryptsToId(Cipher cipher, TokenAesKey key) {
    byte[] check = key.check();
    if (check.length != IV_BYTES + key.id().length + TAG_BYTES) {
      return false;
    }
    try {
      byte[] sealed = Arrays.copyOfRange(check, IV_BYTES, check.length);
      byte[] opened = cipher.run(false, call(Arrays.copyOf(check, IV_BYTES), key.label()), sealed);
      return Arrays.equals(opened, key.id());
    } catch (HsmException e) {
      if (e.reason() == Reason.DATA_INVALID) {
        return false;
      }
      throw e;
    }
  }

  private static CipherCall call(byte[] iv, String label) {
    return new CipherCall(
        CipherCall.Mode.GCM, iv, label.getBytes(StandardCharsets.UTF_8), TAG_BYTES);
  }
}
