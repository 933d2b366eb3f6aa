package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.keywell.ca.ocsp.OcspUnit;

/**
 * What answers OCSP requests in one device.
 *
 * @param chain the unit's own certificate first, a root last
 * @param signer makes its calls; closed by who uses the unit
 */
public record OcspSigner(
    String device, OcspUnit unit, List<X509Certificate> chain, BoundedSigner signer) {

  /** Returns the certificate of the CA's key that has certified this one. */
  X509Certificate issuer() {
    return chain.get(1);
  }

  /**
   * Returns when a certificate ends that needs another one, seen from the CA's key that certifies
   * now; empty if one of before ends with its CA.
   */
  public Optional<Instant> end(X509Certificate certifying) {
    Instant own = chain.getFirst().getNotAfter().toInstant();
    return issuer().equals(certifying)
        ? chain.stream().map(each -> each.getNotAfter().toInstant()).min(Instant::compareTo)
        : Optional.of(own).filter(issuer().getNotAfter().toInstant()::isAfter);
  }
}
