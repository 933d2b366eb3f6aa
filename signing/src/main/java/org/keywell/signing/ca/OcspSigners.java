package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.keywell.ca.token.CaToken;

/**
 * What answers OCSP requests in one device: a key for each of the CA's keys that has certified one.
 * Thread-safe.
 */
final class OcspSigners {

  /** Where no requests are answered. */
  static final OcspSigners NONE =
      new OcspSigners(
          Optional.empty(),
          label -> {
            throw new IllegalStateException(label);
          });

  private final Optional<String> label;
  private final Function<String, OcspSigner> opener;
  private volatile Map<String, OcspSigner> byLabel = Map.of();

  /**
   * @param label of the first key; empty if no requests are answered
   * @param opener opens the key with a label
   */
  OcspSigners(Optional<String> label, Function<String, OcspSigner> opener) {
    this.label = label;
    this.opener = opener;
  }

  /** Opens keys that are new in the token. To be called by one thread at a time. */
  void look(CaToken token) {
    Map<String, OcspSigner> before = byLabel;
    Map<String, OcspSigner> found = new HashMap<>();
    for (String key : label.map(token::responders).orElse(List.of())) {
      OcspSigner known = before.get(key);
      found.put(key, known == null ? opener.apply(key) : known);
    }
    byLabel = found;
  }

  List<OcspSigner> all() {
    return List.copyOf(byLabel.values());
  }

  /** Returns the certificates of the CA's keys that requests are answered for. */
  Set<X509Certificate> issuers() {
    return byLabel.values().stream().map(OcspSigner::issuer).collect(Collectors.toSet());
  }

  /** Whether requests are answered, but not for a CA's key. */
  boolean lacks(X509Certificate issuer) {
    return label.isPresent() && !issuers().contains(issuer);
  }
}
