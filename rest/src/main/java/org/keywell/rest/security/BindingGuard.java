package org.keywell.rest.security;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.tls.ServerTls;
import org.keywell.rest.tls.StoreSource;
import org.keywell.rest.tls.TlsRules;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Refuses to listen beyond this machine unless callers must authenticate: TLS with client
 * certificates. Where everyone may read the log, TLS that asks for them suffices: {@link
 * PortSecurity} refuses those without one all else. A port that requests certificates must name the
 * authorities that it trusts.
 */
public final class BindingGuard {

  private final Environment environment;
  private final SslBundles bundles;
  private final boolean logIsPublic;

  public BindingGuard(Environment environment, SslBundles bundles, boolean logIsPublic) {
    this.environment = environment;
    this.bundles = bundles;
    this.logIsPublic = logIsPublic;
  }

  /**
   * Checks the service's address and, if it is separate, the management address.
   *
   * @throws StartRefusedException if an address is not loopback and callers stay unknown, or if any
   *     certificate of a public authority would be accepted
   */
  public void check() {
    check("server", logIsPublic);
    if (ManagementPortType.get(environment) == ManagementPortType.DIFFERENT) {
      check("management.server", false);
    }
  }

  /**
   * Checks that nobody beyond this machine reaches either port, certificate or not.
   *
   * @param setting the setting that needs this
   * @throws StartRefusedException if an address is not loopback
   */
  public void requireLoopback(String setting) {
    for (String prefix : List.of("server", "management.server")) {
      String address = environment.getProperty(prefix + ".address", "");
      if (!isLoopback(prefix, address)) {
        throw new StartRefusedException(
            "%s is only for measurements on this machine, and %s.address is '%s'; remove one of the two"
                .formatted(setting, prefix, address));
      }
    }
  }

  private void check(String prefix, boolean forEveryone) {
    @Nullable ServerTls tls = ServerTls.of(prefix, environment);
    if (tls != null && tls.asksForCertificates()) {
      tls.sources().forEach(this::requireTrustStore);
    }
    String address = environment.getProperty(prefix + ".address", "");
    if (isLoopback(prefix, address)
        || (tls != null
            && (tls.needsCertificates() || (forEveryone && tls.asksForCertificates())))) {
      return;
    }
    throw new StartRefusedException(
        "%s.address is '%s': other than loopback needs TLS with client authentication. Set %s.ssl.bundle (a Spring SSL bundle) and %s.ssl.client-auth=need, or %s.address=127.0.0.1"
            .formatted(prefix, address, prefix, prefix, prefix));
  }

  /** Without a configured trust store, Java accepts any certificate of a public CA. */
  private void requireTrustStore(StoreSource source) {
    String named =
        source.trustSettings().stream().filter(this::isSet).collect(Collectors.joining(", "));
    if (named.isEmpty()) {
      throw new StartRefusedException(
          "%s.ssl.client-auth without a trust store would accept the certificates of public CAs; set %s"
              .formatted(source.port().prefix(), String.join(" or ", source.trustSettings())));
    }
    if (!hasCertificate(source, named)) {
      throw new StartRefusedException(named + " names a trust store without a certificate");
    }
  }

  /** A variable that a deployment leaves empty counts as not set. */
  private boolean isSet(String property) {
    return StringUtils.hasText(environment.getProperty(property));
  }

  private boolean hasCertificate(StoreSource source, String named) {
    try {
      return TlsRules.hasCertificate(source.load(bundles).getStores().getTrustStore());
    } catch (IllegalStateException | UncheckedIOException e) {
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
