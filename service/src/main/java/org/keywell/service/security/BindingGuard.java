package org.keywell.service.security;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.service.settings.StartRefusedException;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerSslBundle;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Refuses to listen beyond this machine unless callers must prove who they are: TLS with client
 * authentication.
 */
public final class BindingGuard {

  private final Environment environment;
  private final SslBundles bundles;

  public BindingGuard(Environment environment, SslBundles bundles) {
    this.environment = environment;
    this.bundles = bundles;
  }

  /**
   * Checks the service's address and, if it has one of its own, that of management.
   *
   * @throws StartRefusedException if an address is not loopback and callers stay unknown
   */
  public void check() {
    check("server");
    if (ManagementPortType.get(environment) == ManagementPortType.DIFFERENT) {
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
            && (isSet(prefix + ".ssl.bundle")
                || isSet(prefix + ".ssl.key-store")
                || isSet(prefix + ".ssl.certificate"));
    return tls && "need".equalsIgnoreCase(environment.getProperty(prefix + ".ssl.client-auth"));
  }

  /** A variable that a deployment leaves empty sets nothing. */
  private boolean isSet(String property) {
    return StringUtils.hasText(environment.getProperty(property));
  }

  /** Without a trust store of its own, Java lets in whoever has a certificate of a public CA. */
  private void requireTrustStore(String prefix) {
    String bundle = environment.getProperty(prefix + ".ssl.bundle");
    List<String> sources =
        bundle == null || bundle.isBlank()
            ? List.of(prefix + ".ssl.trust-store", prefix + ".ssl.trust-certificate")
            : List.of(
                "spring.ssl.bundle.pem." + bundle + ".truststore.certificate",
                "spring.ssl.bundle.jks." + bundle + ".truststore.location");
    if (sources.stream().noneMatch(this::isSet)) {
      throw new StartRefusedException(
          "%s.ssl.client-auth=need without a trust store would accept the certificates of public CAs; set %s"
              .formatted(prefix, String.join(" or ", sources)));
    }
    String named = sources.stream().filter(this::isSet).collect(Collectors.joining(", "));
    if (!hasCertificate(prefix, named)) {
      throw new StartRefusedException(named + " names a trust store without a certificate");
    }
  }

  private boolean hasCertificate(String prefix, String named) {
    Ssl ssl = Binder.get(environment).bind(prefix + ".ssl", Ssl.class).get();
    try {
      @Nullable KeyStore trusted = WebServerSslBundle.get(ssl, bundles).getStores().getTrustStore();
      if (trusted != null) {
        for (String alias : Collections.list(trusted.aliases())) {
          if (trusted.isCertificateEntry(alias)) {
            return true;
          }
        }
      }
      return false;
    } catch (KeyStoreException | IllegalStateException | UncheckedIOException e) {
      throw new StartRefusedException(
          named + ", or the key store beside it, cannot be read: " + e.getMessage(), e);
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
