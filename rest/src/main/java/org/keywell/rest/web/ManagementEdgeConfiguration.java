package org.keywell.rest.web;

import org.keywell.rest.http.Handshakes;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.rest.security.HostFilter;
import org.keywell.rest.security.PortSecurity;
import org.keywell.rest.tls.CertificateFilter;
import org.keywell.rest.tls.Lookups;
import org.keywell.rest.tls.Revocation;
import org.keywell.rest.tls.RevocationConfiguration;
import org.keywell.settings.KeywellProperties;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.security.web.FilterChainProxy;

/**
 * The edge of a separate management port. That port has its own context, without the service's
 * filters; Spring finds this class through {@code META-INF/spring}.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
@Import(EdgeConfiguration.class)
public final class ManagementEdgeConfiguration {

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> boundedConnections(
      KeywellProperties properties, Handshakes handshakes) {
    return EdgeConfiguration.bounded(properties.http(), handshakes, (method, path) -> null);
  }

  @Bean
  HostFilter hostFilter(
      KeywellProperties properties, Environment environment, ProblemWriter problems) {
    return EdgeConfiguration.hostFilter("management.server", properties, environment, problems);
  }

  @Bean
  CertificateFilter certificateFilter(
      Environment environment,
      SslBundles bundles,
      Revocation revocation,
      Lookups lookups,
      ProblemWriter problems) {
    return RevocationConfiguration.filter(
        "management.server", environment, bundles, revocation, lookups, problems);
  }

  @Bean
  FilterRegistrationBean<FilterChainProxy> securityFilter(
      PortSecurity security, Environment environment) {
    return EdgeConfiguration.registered(
        security.ofManagement(
            EdgeConfiguration.asksForCertificates("management.server", environment)));
  }
}
