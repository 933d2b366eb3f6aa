package org.keywell.operations.health;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Says in time that certificates of a CA's chain end, as the alert KeywellCaExpiring does. */
final class CaExpiry {

  private static final Duration BEFORE_ISSUING = Duration.ofDays(90);

  /** Verifiers need the next root before it is used. */
  private static final Duration BEFORE_ROOT = Duration.ofDays(365);

  private CaExpiry() {}

  /**
   * Returns what should be renewed, from the issuing certificate on; empty if nothing.
   *
   * @param chain ends with the root
   */
  static List<String> warnings(List<X509Certificate> chain, Instant now) {
    List<String> warnings = new ArrayList<>();
    for (int i = 0; i < chain.size(); i++) {
      boolean root = i > 0 && i == chain.size() - 1;
      Instant end = chain.get(i).getNotAfter().toInstant();
      if (end.minus(root ? BEFORE_ROOT : BEFORE_ISSUING).isBefore(now)) {
        warnings.add(
            "the CA's %s certificate ends at %s: renew it"
                .formatted(root ? "root" : i == 0 ? "issuing" : "intermediate", end));
      }
    }
    return warnings;
  }
}
