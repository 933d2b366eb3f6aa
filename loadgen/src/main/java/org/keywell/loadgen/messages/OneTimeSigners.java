package org.keywell.loadgen.messages;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Trusts signers whose certificates lead to a root, each key once (PKIX, without revocation). It
 * remembers all of them. Thread-safe.
 */
public final class OneTimeSigners implements Predicate<List<X509Certificate>> {
  private final TrustAnchor root;
  private final Set<PublicKey> seen = ConcurrentHashMap.newKeySet();

  /** Trusts those below this root. */
  public OneTimeSigners(X509Certificate root) {
    this.root = new TrustAnchor(root, null);
  }

  @Override
  public boolean test(List<X509Certificate> chain) {
    try {
      PKIXParameters parameters = new PKIXParameters(Set.of(root));
      parameters.setRevocationEnabled(false);
      var _ =
          CertPathValidator.getInstance("PKIX")
              .validate(
                  CertificateFactory.getInstance("X.509").generateCertPath(chain), parameters);
      return !chain.isEmpty() && seen.add(chain.getFirst().getPublicKey());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
