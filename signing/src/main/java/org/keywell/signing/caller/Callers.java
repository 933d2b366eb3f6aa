package org.keywell.signing.caller;

import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All callers, by what identifies them. Immutable. */
public final class Callers {

  static final Callers NONE = new Callers(Map.of());

  private final Map<CallerName, Caller> byName;
  private final boolean anyAlternativeName;
  private final boolean anyFingerprint;

  Callers(Map<CallerName, Caller> byName) {
    this.byName = Map.copyOf(byName);
    this.anyAlternativeName =
        byName.keySet().stream()
            .anyMatch(name ->
                name instanceof CertificateName.SanDns || name instanceof CertificateName.SanUri);
    this.anyFingerprint =
        byName.keySet().stream().anyMatch(CertificateName.Fingerprint.class::isInstance);
  }

  /**
   * Returns the caller that the certificate identifies; none if no caller matches, or if two do: a
   * sender that can choose between them can choose its rights.
   */
  Optional<Caller> of(X509Certificate certificate) {
    @Nullable Caller bySubject = CertificateName.subject(certificate).map(byName::get).orElse(null);
    if (!anyAlternativeName && !anyFingerprint) {
      return Optional.ofNullable(bySubject);
    }
    Set<Caller> found = new HashSet<>();
    add(found, bySubject);
    if (anyFingerprint) {
      add(found, byName.get(CertificateName.fingerprint(certificate)));
    }
    if (anyAlternativeName) {
      CertificateName.alternativeNames(certificate).forEach(name -> add(found, byName.get(name)));
    }
    return found.size() == 1 ? Optional.of(found.iterator().next()) : Optional.empty();
  }

  /** Returns the caller that sends as this user of the message broker. */
  Optional<Caller> ofBrokerUser(String user) {
    return Optional.ofNullable(byName.get(new CallerName.BrokerUser(user)));
  }

  private static void add(Set<Caller> found, @Nullable Caller caller) {
    if (caller != null) {
      found.add(caller);
    }
  }

  int size() {
    return new HashSet<>(byName.values()).size();
  }
}
