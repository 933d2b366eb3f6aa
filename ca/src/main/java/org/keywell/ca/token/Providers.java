package org.keywell.ca.token;

import java.nio.charset.StandardCharsets;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates instances of SunPKCS11. They are not registered with {@link Security}, so no other code
 * in the process can use the token by accident.
 */
final class Providers {
  private static final AtomicInteger COUNT = new AtomicInteger();

  /**
   * INVARIANT: SunPKCS11's objects of a module stay reachable permanently. Once one is unreachable,
   * the JDK's cleaner closes its sessions and destroys its session keys by number ({@code
   * sun.security.pkcs11.SessionRef} and {@code SessionKeyRef}, phantom references). After {@code
   * C_Finalize} these numbers belong to sessions and keys that others have opened since. A provider
   * holds its idle sessions, and P11Signature returns its session on every path; a generated key
   * pair holds its own.
   */
  private static final Queue<Object> KEPT = new ConcurrentLinkedQueue<>();

  private Providers() {}

  /** Keeps session keys of a provider reachable. */
  static KeyPair keep(KeyPair pair) {
    KEPT.add(pair);
    return pair;
  }

  /** Returns a provider that uses existing keys. */
  static Provider using(TokenAddress address) {
    return configure(configuration(address));
  }

  /**
   * Returns a provider that generates private keys with the given label, only for signing, that
   * never leave the token. SunPKCS11 leaves these attributes to the module by default, and
   * SoftHSM's default is not sensitive.
   */
  static Provider generating(TokenAddress address, String label) {
    return configure(
        configuration(address)
            + """
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
                .formatted(HexFormat.of().formatHex(label.getBytes(StandardCharsets.US_ASCII))));
  }

  private static String configuration(TokenAddress address) {
    String configuration =
        """
        name = keywell-ca-%s
        library = "%s"
        slot = %s
        """
            .formatted(COUNT.incrementAndGet(), address.module(), address.slotId());
    return address.nssArgs() == null
        ? configuration
        : configuration + "nssArgs = \"" + address.nssArgs() + "\"\n";
  }

  private static Provider configure(String configuration) {
    Provider unconfigured = Security.getProvider("SunPKCS11");
    if (unconfigured == null) {
      throw new CaTokenException(
          CaTokenException.Reason.UNAVAILABLE, "this Java runtime lacks jdk.crypto.cryptoki");
    }
    try {
      Provider provider = unconfigured.configure("--" + configuration);
      KEPT.add(provider);
      return provider;
    } catch (InvalidParameterException | ProviderException | UnsupportedOperationException e) {
      throw new CaTokenException(
          CaTokenException.Reason.UNAVAILABLE, "the PKCS#11 module or slot cannot be opened", e);
    }
  }
}
