package org.keywell.ca.token;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.keywell.ca.Subject;

/** Settings whose labels and names no other test has: tests share a token. */
public final class TestSettings {
  /** Where the CA's lists are published. */
  public static final URI LISTS = URI.create("http://crl.example.org/");

  private TestSettings() {}

  public static CaSettings unique(CaKeySpec spec) {
    String id = UUID.randomUUID().toString().substring(0, 8);
    return new CaSettings(
        "root-" + id,
        "issuing-" + id,
        new Subject("Root " + id, null, null, null, "Keywell", null, "SE"),
        new Subject("Issuing " + id, null, null, null, "Keywell", null, "SE"),
        spec,
        spec,
        Duration.ofDays(3650),
        Duration.ofDays(1825),
        Optional.of(LISTS));
  }

  public static CaBootstrap bootstrap(CaSettings settings) {
    return bootstrap(SoftHsm.SHARED, settings);
  }

  static CaBootstrap bootstrap(SoftHsm token, CaSettings settings) {
    return CaBootstrap.in(token.keys(), settings, InstantSource.system(), new SecureRandom());
  }
}
