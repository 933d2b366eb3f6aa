package org.keywell.rest.tls;

import java.net.InetAddress;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.settings.KeywellProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** What both ports share to check callers' certificates. */
@Configuration(proxyBeanMethods = false)
public class RevocationConfiguration {

  private static final Logger log = LoggerFactory.getLogger(RevocationConfiguration.class);

  @Bean
  Revocation revocation(KeywellProperties properties) {
    return new Revocation(properties.security().revocation(), Clock.systemUTC(), System::nanoTime);
  }

  /**
   * Creates a port's filter.
   *
   * @param server the prefix of the port's settings
   */
  public static CertificateFilter filter(
      String server,
      Environment environment,
      SslBundles bundles,
      Revocation revocation,
      Lookups lookups,
      ProblemWriter problems) {
    @Nullable ServerTls port = ServerTls.of(server, environment);
    if (port == null || !port.asksForCertificates()) {
      return new CertificateFilter(null, problems);
    }
    return new CertificateFilter(
        certificates(
            port,
            environment.getProperty(server + ".address", InetAddress.class),
            bundles,
            revocation,
            lookups),
        problems);
  }

  /**
   * Creates the checks of a port that is not a web server's and trusts a bundle's authorities.
   *
   * @param setting the prefix of the port's settings, for messages
   * @param address null: callers come from anywhere
   * @param lookups of this port only
   */
  public static CallerCertificates certificates(
      String setting,
      @Nullable InetAddress address,
      String bundle,
      SslBundles bundles,
      Revocation revocation,
      Lookups lookups) {
    return certificates(ServerTls.ofBundle(setting, bundle), address, bundles, revocation, lookups);
  }

  private static CallerCertificates certificates(
      ServerTls port,
      @Nullable InetAddress address,
      SslBundles bundles,
      Revocation revocation,
      Lookups lookups) {
    if (!revocation.properties().isOn() && (address == null || !address.isLoopbackAddress())) {
      log.warn(
          "{}: callers' certificates are not checked for revocation; set keywell.security.revocation.crl-file or .ocsp",
          port.prefix());
    }
    return new CallerCertificates(
        new PortAuthorities(port, bundles), revocation, lookups, Clock.systemUTC());
  }
}
