package org.keywell.ca.token;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.Provider;
import java.security.Security;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The JDK's use of a token, beside the CA's in one process. */
final class SunPkcs11 {
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Its cleaner would close sessions by their number. */
  private static final Queue<Object> KEPT = new ConcurrentLinkedQueue<>();

  private SunPkcs11() {}

  static Provider using(SoftHsm token) {
    return configured(token, "");
  }

  /** Generates private keys as the CA had them generated when it used this provider. */
  static Provider generating(SoftHsm token, String label) {
    return configured(
        token,
        """
        attributes(generate, CKO_PRIVATE_KEY, *) = {
          CKA_LABEL = 0h%s
          CKA_SENSITIVE = true
          CKA_EXTRACTABLE = false
          CKA_SIGN = true
          CKA_DECRYPT = false
          CKA_UNWRAP = false
          CKA_SIGN_RECOVER = false
        }
        """
            .formatted(hex(label)));
  }

  /** Generates a key that stays in the token, without {@code CKA_ID} and certificate. */
  static void generateInToken(SoftHsm token, CaKeySpec spec, String label) {
    Provider provider =
        configured(
            token,
            """
            attributes(generate, CKO_PRIVATE_KEY, *) = {
              CKA_LABEL = 0h%s
              CKA_TOKEN = true
            }
            """
                .formatted(hex(label)));
    KeyPair pair = spec.generate(provider);
    KEPT.add(pair);
  }

  private static String hex(String label) {
    return HexFormat.of().formatHex(label.getBytes(StandardCharsets.US_ASCII));
  }

  private static Provider configured(SoftHsm token, String more) {
    Provider provider =
        Security.getProvider("SunPKCS11")
            .configure(
                """
                --name = test-%d
                library = "%s"
                slot = %d
                %s
                """
                    .formatted(COUNT.incrementAndGet(), token.module(), token.slotId(), more));
    KEPT.add(provider);
    return provider;
  }
}
