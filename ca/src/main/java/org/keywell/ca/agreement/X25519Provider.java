package org.keywell.ca.agreement;

import java.security.Provider;
import java.security.Security;
import java.util.List;
import java.util.Map;
import org.bouncycastle.jcajce.provider.asymmetric.edec.KeyPairGeneratorSpi;

/**
 * Leads Java's TLS to Bouncy Castle for X25519 (RFC 7748), which takes half of the time of Java's
 * own. It offers nothing else, so every other algorithm stays with the provider that it had.
 */
public final class X25519Provider extends Provider {

  private static final long serialVersionUID = 1;

  private static final String NAME = "KeywellX25519";

  /** By this name TLS asks for keys on the curve, which it states as a parameter. */
  private static final String ALGORITHM = "XDH";

  X25519Provider() {
    super(NAME, "1", "X25519 by Bouncy Castle");
    offer("KeyPairGenerator", KeyPairGeneratorSpi.X25519.class);
    offer("KeyAgreement", X25519Agreement.class);
  }

  /**
   * Java makes it by its name. A reference to a constructor would not do: Bouncy Castle's jar is
   * signed, and the JVM ends when it is to keep such a reference in an AOT cache.
   */
  private void offer(String type, Class<?> implementation) {
    putService(new Service(this, type, ALGORITHM, implementation.getName(), List.of(), Map.of()));
  }

  /** Puts it before all others of this process; again has no effect. */
  public static void register() {
    int _ = Security.insertProviderAt(new X25519Provider(), 1);
  }
}
