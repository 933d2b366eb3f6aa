package org.keywell.service.security;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.keywell.service.StartRefusedException;
import org.springframework.core.env.Environment;

/**
 * Refuses to listen beyond this machine unless callers must prove who they are: TLS with client
 * authentication.
 */
public final class BindingGuard {

  private final Environment environment;

  public BindingGuard(Environment environment) {
    this.environment = environment;
  }

  /**
   * Checks the service's address and, if it has one of its own, that of management.
   *
   * @throws StartRefusedException if an address is not loopback and callers stay unknown
   */
  public void check() {
    check("server");
    if (environment.containsProperty("management.server.port")) {
      check("management.server");
    }
  }

  private void check(String prefix) {
    String address = environment.getProperty(prefix + ".address", "");
    if (isLoopback(prefix, address)) {
      return;
    }
    if (hasClientAuthentication(prefix)) {
      requireTrustStore(prefix);
      return;
    }
    throw new StartRefusedException(
        "%s.address is '%s': other than loopback needs TLS with client authentication. Set %s.ssl.bundle (a Spring SSL bundle) and %s.ssl.client-auth=need, or %s.address=127.0.0.1"
            .formatted(prefix, address, prefix, prefix, prefix));
  }

  private boolean hasClientAuthentication(String prefix) {
    boolean tls =
        environment.getProperty(prefix + ".ssl.enabled", Boolean.class, true)
            && (environment.containsProperty(prefix + ".ssl.bundle")
                || environment.containsProperty(prefix + ".ssl.key-store")
                || environment.containsProperty(prefix + ".ssl.certificate"));
    return tls && "need".equalsIgnoreCase(environment.getProperty(prefix + ".ssl.client-auth"));
  }

  /** Without a trust store of its own, Java lets in whoever has a certificate of a public CA. */
  private void requireTrustStore(String prefix) {
    String bundle = environment.getProperty(prefix + ".ssl.bundle");
    List<String> sources =
        bundle == null
            ? List.of(prefix + ".ssl.trust-store", prefix + ".ssl.trust-certificate")
            : List.of(
                "spring.ssl.bundle.pem." + bundle + ".truststore.certificate",
                "spring.ssl.bundle.jks." + bundle + ".truststore.location");
    if (sources.stream().noneMatch(environment::containsProperty)) {
      throw new StartRefusedException(
          "%s.ssl.client-auth=need without a trust store would accept the certificates of public CAs; set %s"
              .formatted(prefix, String.join(" or ", sources)));
    }
  }

  private static boolean isLoopback(String prefix, String address) {
    if (address.isBlank()) {
      return false;
    }
    try {
      return InetAddress.getByName(address).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new StartRefusedException(prefix + ".address '" + address + "' is not an address", e);
    }
  }
}
