package org.keywell.ca.token;

import java.security.KeyPair;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.keywell.ca.Subject;
import org.keywell.ca.issuance.IssuingKey;

/**
 * A CA for experiments, such as measuring a device's signing time. Its only key issues under a
 * self-signed certificate, and only this process can use it: no token is changed, and no CA that
 * anyone trusts certifies an experiment's keys.
 */
public final class ThrowAwayCa {
  /** Such a certificate must not be relied on longer than an experiment takes. */
  private static final Duration VALIDITY = Duration.ofDays(2);

  private ThrowAwayCa() {}

  /**
   * Generates the key as a session object in a device. The key lives no longer than the process,
   * and until then counts among the device's session objects.
   *
   * @param token as for {@link CaToken}
   * @throws CaTokenException {@code FAILED}
   */
  public static IssuingKey make(
      Provider token, CaKeySpec spec, Subject name, Instant now, SecureRandom random) {
    return selfSigned(spec, token, name, now, random);
  }

  /**
   * Generates an EC P-256 key in this process's memory, without a device.
   *
   * @throws CaTokenException {@code FAILED}
   */
  public static IssuingKey inMemory(Subject name, Instant now, SecureRandom random) {
    return selfSigned(CaKeySpec.EC_P256, Security.getProvider("SunEC"), name, now, random);
  }

  private static IssuingKey selfSigned(
      CaKeySpec spec, Provider provider, Subject name, Instant now, SecureRandom random) {
    KeyPair pair = spec.generate(provider);
    CaKey key = new CaKey(pair.getPrivate(), pair.getPublic(), provider);
    X509Certificate certificate =
        new CaCertificates(random, Optional.empty()).root(key, name, now, VALIDITY);
    return new IssuingKey(pair.getPrivate(), provider, List.of(certificate));
  }
}
