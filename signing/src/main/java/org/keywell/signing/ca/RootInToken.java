package org.keywell.signing.ca;

import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Function;
import org.keywell.ca.issuance.IssuingKeyException;
import org.keywell.ca.revocation.ListAnswer;
import org.keywell.ca.revocation.RevocationList;
import org.keywell.ca.token.CaBootstrap;
import org.keywell.ca.token.CaTokenException;
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
  private final InstantSource clock;

  private Optional<X509Certificate> root = Optional.empty();
  private boolean looked;

  RootInToken(OpenDevice device, CaProperties properties, InstantSource clock) {
    this.device = new CaDevice(device, true);
    this.properties = properties;
    this.clock = clock;
  }

  /** Returns its certificate; empty if its key is elsewhere, or cannot be looked for now. */
  public synchronized Optional<X509Certificate> certificate() {
    if (!looked) {
      try {
        root = with(CaBootstrap::root);
        looked = true;
      } catch (CaTokenException | IssuingKeyException e) {
        log.debug("the root's key cannot be looked for now", e);
      }
    }
    return root;
  }

  /** Signs a list of certificates of CAs. */
  public synchronized ListAnswer sign(RevocationList list) {
    try {
      return with(ca -> ca.sign(list));
    } catch (CaTokenException | IssuingKeyException e) {
      return new ListAnswer.NotSigned(String.valueOf(e.getMessage()));
    }
  }

  private <T> T with(Function<CaBootstrap, T> work) {
    return work.apply(device.bootstrap(properties, clock));
  }
}
