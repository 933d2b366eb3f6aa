package org.keywell.ca.token;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * One of the CA's keys that follow each other in a token.
 *
 * @param number from 1; see {@link CaKeyLabels}
 */
record KeyGeneration(String label, int number, StoredKey key) {

  X509Certificate certificate() {
    return key.chain().getFirst();
  }

  /** Whether another key, with this certificate, has certified this one. */
  boolean isFrom(X509Certificate issuer) {
    return key.chain().size() > 1 && key.chain().get(1).equals(issuer);
  }

  /**
   * Requires that the key has a certificate, and a chain that is valid now.
   *
   * @throws CaTokenException {@code AWAITING_CHAIN} or {@code CHAIN_REFUSED}
   */
  void requireUsable(Instant now) {
    if (key.awaitsChain()) {
      throw new CaTokenException(
          CaTokenException.Reason.AWAITING_CHAIN,
          "CA key " + label + " waits for the answer to its request: import it by ca-import");
    }
    IssuingChain.check(key.chain(), now);
  }

  boolean isUsable(Instant now) {
    try {
      requireUsable(now);
      return true;
    } catch (CaTokenException e) {
      return false;
    }
  }

  /**
   * Returns those that can certify.
   *
   * @param all the newest first, at least one
   * @throws CaTokenException as {@link #requireUsable} of the newest, if none can
   */
  static List<KeyGeneration> usable(List<KeyGeneration> all, Instant now) {
    List<KeyGeneration> usable = all.stream().filter(each -> each.isUsable(now)).toList();
    if (usable.isEmpty()) {
      all.getFirst().requireUsable(now);
    }
    return usable;
  }
}
