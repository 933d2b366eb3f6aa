package org.keywell.rest.web;

import java.util.List;
import org.keywell.rest.http.BoundedHttpProtocol;
import org.keywell.rest.http.Door;
import org.keywell.rest.http.Handshakes;
import org.keywell.rest.problem.ProblemValve;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.rest.security.BodyLimitFilter;
import org.keywell.rest.security.HostFilter;
import org.keywell.rest.security.RefusalFilter;
import org.keywell.rest.security.RefusalListener;
import org.keywell.rest.tls.Lookups;
import org.keywell.settings.HttpProperties;
import org.keywell.settings.KeywellProperties;
import org.keywell.settings.StartRefusedException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.security.web.FilterChainProxy;

/** What every request passes first, at the service's port and at the management port. */
@Configuration(proxyBeanMethods = false)
public class EdgeConfiguration {

  /** Also after request metrics, so that refused requests are counted. */
  private static final int AFTER_HOST_FILTER = Ordered.HIGHEST_PRECEDENCE + 100;

  private static final List<String> REPLACED_BOUNDS =
      List.of(
          "server.tomcat.max-connections",
          "server.tomcat.max-keep-alive-requests",
          "server.tomcat.max-http-response-header-size");

  /**
   * Creates a port's filter.
   *
   * @param server the prefix of the port's settings
   */
  public static HostFilter hostFilter(
      String server,
      KeywellProperties properties,
      Environment environment,
      ProblemWriter problems) {
    Ssl tls = Binder.get(environment).bind(server + ".ssl", Ssl.class).orElse(null);
    return new HostFilter(
        properties.security(), Ssl.isEnabled(tls), properties.ca().crl().port(), problems);
  }

  /** Registers a port's security: before bodies are read, and after {@link HostFilter}. */
  static FilterRegistrationBean<FilterChainProxy> registered(FilterChainProxy security) {
    FilterRegistrationBean<FilterChainProxy> registration = new FilterRegistrationBean<>(security);
    registration.setName("security");
    registration.setOrder(AFTER_HOST_FILTER);
    return registration;
  }

  /** Whether a port identifies callers by their certificates. */
  static boolean asksForCertificates(String server, Environment environment) {
    Ssl tls = Binder.get(environment).bind(server + ".ssl", Ssl.class).orElse(null);
    return tls != null
        && Ssl.isEnabled(tls)
        && (tls.getClientAuth() == Ssl.ClientAuth.NEED
            || tls.getClientAuth() == Ssl.ClientAuth.WANT);
  }

  /**
   * Refuses Tomcat's own bounds, which {@link BoundedHttpProtocol} replaces, so that nobody relies
   * on them.
   *
   * @throws StartRefusedException if one of them is set
   */
  static void refuseReplacedBounds(Environment environment) {
    Binder settings = Binder.get(environment);
    for (String replaced : REPLACED_BOUNDS) {
      if (settings.bind(replaced, String.class).isBound()) {
        throw new StartRefusedException(
            replaced
                + " would have no effect: connections are bounded by keywell.http.*"
                + " (docs/CONFIGURATION.md, Connections)");
      }
    }
  }

  /** Bounds a port's connections. */
  static WebServerFactoryCustomizer<TomcatServletWebServerFactory> bounded(
      HttpProperties limits, Handshakes handshakes, Door door) {
    return factory -> {
      factory.setProtocol(BoundedHttpProtocol.class.getName());
      factory.addConnectorCustomizers(connector ->
          ((BoundedHttpProtocol) connector.getProtocolHandler()).bound(limits, handshakes, door));
    };
  }

  /** Outside all other filters, so that their refusals are also reported. */
  @Bean
  RefusalFilter refusalFilter(List<RefusalListener> listeners) {
    return new RefusalFilter(listeners);
  }

  @Bean
  BodyLimitFilter bodyLimitFilter(KeywellProperties properties, ProblemWriter problems) {
    return new BodyLimitFilter(properties.sign().maxBody(), problems);
  }

  /** Each port has its own: a query depends on the authorities that the port trusts. */
  @Bean
  Lookups lookups(KeywellProperties properties) {
    return new Lookups(properties.security().revocation().timeLimit());
  }

  /** Behind the valve that Spring Boot adds, which then finds nothing left to report. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsOfTheServer(
      ProblemWriter problems) {
    return factory ->
        factory.addContextCustomizers(
            context -> context.getParent().getPipeline().addValve(new ProblemValve(problems)));
  }

  /** Bodies are JSON: reading a parameter never makes Tomcat parse a form. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> noForms() {
    return factory ->
        factory.addConnectorCustomizers(connector -> connector.setParseBodyMethods(""));
  }
}
