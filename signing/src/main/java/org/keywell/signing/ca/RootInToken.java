package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.util.Optional;
import org.keywell.ca.issuance.IssuingKeyException;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.token.CaTokenException;
import org.keywell.ca.token.RootKey;
import org.keywell.settings.CaProperties;
import org.keywell.signing.hsm.OpenDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The root of the issuing CAs, where the bootstrap has made it in the token of the first device.
 * Its key is used so seldom that it is looked for each time. Thread-safe.
 */
public final class RootInToken {

  private static final Logger log = LoggerFactory.getLogger(RootInToken.class);

  private final CaDevice device;
  private final CaProperties properties;

  private Optional<X509Certificate> certificate = Optional.empty();
  private boolean looked;

  RootInToken(OpenDevice device, CaProperties properties) {
    this.device = new CaDevice(device, true);
    this.properties = properties;
  }

  /** Returns its certificate; empty if its key is elsewhere, or cannot be looked for now. */
  public synchronized Optional<X509Certificate> certificate() {
    if (!looked) {
      try {
        certificate = device.root(properties).map(RootKey::certificate);
        looked = true;
      } catch (CaTokenException e) {
        log.debug("the root's key cannot be looked for now", e);
      }
    }
    return certificate;
  }

  /** Signs a list of certificates of CAs. */
  public synchronized ListAnswer sign(RevocationList list) {
    try {
      return device
          .root(properties)
          .map(root -> root.sign(list))
          .orElseGet(() -> new ListAnswer.NotSigned("the root's key is not in the token"));
    } catch (CaTokenException | IssuingKeyException e) {
      return new ListAnswer.NotSigned(String.valueOf(e.getMessage()));
    }
  }
}
