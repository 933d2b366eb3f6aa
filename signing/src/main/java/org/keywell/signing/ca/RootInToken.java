package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.keywell.ca.issuance.IssuingKeyException;
import org.keywell.ca.revocation.CrlShard;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.token.CaTokenException;
import org.keywell.ca.token.RootKey;
import org.keywell.settings.CaProperties;
import org.keywell.signing.hsm.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The roots of the issuing CAs, where they were made in the token of the first device. Their keys
 * are used so seldom that they are looked for each time. Thread-safe.
 */
public final class RootInToken {

  private static final Logger log = LoggerFactory.getLogger(RootInToken.class);

  private final CaDevice device;
  private final CaProperties properties;

  private List<X509Certificate> certificates = List.of();
  private Set<X509Certificate> looked = Set.of();

  RootInToken(OpenDevice device, CaProperties properties) {
    this.device = new CaDevice(device, true);
    this.properties = properties;
  }

  /**
   * Returns their certificates; none if their keys are elsewhere, or cannot be looked for now.
   *
   * @param above the roots of the issuing CAs; it looks again when they change
   */
  public synchronized List<X509Certificate> certificates(Set<X509Certificate> above) {
    if (!looked.equals(above)) {
      try {
        certificates = device.roots(properties).stream().map(RootKey::certificate).toList();
        looked = Set.copyOf(above);
      } catch (CaTokenException e) {
        log.debug("the roots' keys cannot be looked for now", e);
      }
    }
    return certificates;
  }

  /** Signs a list of certificates of CAs. */
  public synchronized ListAnswer sign(RevocationList list) {
    try {
      return device.roots(properties).stream()
          .filter(root ->
              CrlShard.ofAuthorities(CrlShard.issuer(root.certificate())).equals(list.shard()))
          .findFirst()
          .map(root -> root.sign(list))
          .orElseGet(() -> new ListAnswer.NotSigned("the root's key is not in the token"));
    } catch (CaTokenException | IssuingKeyException e) {
      return new ListAnswer.NotSigned(String.valueOf(e.getMessage()));
    }
  }
}
