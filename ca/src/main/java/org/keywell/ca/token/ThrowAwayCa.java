package org.keywell.ca.token;

import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.keywell.ca.Subject;
import org.keywell.ca.issuance.IssuingKey;

/**
 * A CA for experiments on a device, such as measuring its signing time. Its one key, which issues
 * under a self-signed certificate, is a session object that nothing but this process can use: the
 * token is left as it was, and no CA that anybody trusts certifies an experiment's keys.
 */
public final class ThrowAwayCa {
  private static final String LABEL = "keywell-throw-away";

  /** Nobody is to rely on such a certificate longer than an experiment takes. */
  private static final Duration VALIDITY = Duration.ofDays(2);

  private ThrowAwayCa() {}

  /**
   * Generates the key in the device, which the process must be logged in to. The key lives at the
   * longest as long as the process; while it does, it is one of the device's session objects.
   *
   * @throws CaTokenException {@code UNAVAILABLE} or {@code FAILED}
   */
  public static IssuingKey make(
      TokenAddress address, CaKeySpec spec, Subject name, Instant now, SecureRandom random) {
    TokenKeyStore generating = TokenKeyStore.openLoggedIn(Providers.generating(address, LABEL));
    KeyPair pair = spec.generate(generating.provider());
    CaKey key = new CaKey(pair.getPrivate(), pair.getPublic(), generating.provider());
    X509Certificate certificate = new CaCertificates(random).root(key, name, now, VALIDITY);
    return new IssuingKey(pair.getPrivate(), generating.provider(), List.of(certificate));
  }
}
