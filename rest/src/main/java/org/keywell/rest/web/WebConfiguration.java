package org.keywell.rest.web;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.keywell.rest.ca.PublicationPort;
import org.keywell.rest.http.Door;
import org.keywell.rest.http.Handshakes;
import org.keywell.rest.problem.ProblemListener;
import org.keywell.rest.problem.ProblemWriter;
import org.keywell.rest.security.BindingGuard;
import org.keywell.rest.security.HostFilter;
import org.keywell.rest.security.RefusalLog;
import org.keywell.rest.tls.CertificateFilter;
import org.keywell.rest.tls.Lookups;
import org.keywell.rest.tls.Revocation;
import org.keywell.rest.tls.RevocationConfiguration;
import org.keywell.rest.tls.ServerKeyConfiguration;
import org.keywell.rest.tls.TlsSettings;
import org.keywell.rest.trial.TrialFiles;
import org.keywell.settings.KeywellProperties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.servlet.config.annotation.ContentNegotiationConfigurer;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/** What surrounds every HTTP request. */
@Configuration(proxyBeanMethods = false)
@Import({
  EdgeConfiguration.class,
  AccessConfiguration.class,
  RevocationConfiguration.class,
  PublicationPort.class,
  ServerKeyConfiguration.class
})
public class WebConfiguration {

  /** For both ports: the events of the management port's context arrive here, too. */
  @Bean
  UnusedDirectories unusedDirectories() {
    return new UnusedDirectories();
  }

  /** Runs while the web server is configured, before anything listens. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> bindingGuard(
      Environment environment, SslBundles bundles, KeywellProperties properties) {
    BindingGuard guard = new BindingGuard(environment, bundles, properties.log().isPublic());
    return factory -> {
      guard.check();
      if (properties.trialFiles() != null) {
        guard.requireLoopback(TrialFiles.SETTING);
      }
    };
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> tlsSettings(
      Environment environment, SslBundles bundles) {
    TlsSettings settings = new TlsSettings(environment, bundles);
    return factory -> {
      settings.check("server");
      settings.check("management.server");
    };
  }

  /** All ports have the same, or handshakes at each could take half of the processors. */
  @Bean
  Handshakes handshakes() {
    return Handshakes.onHalfOfTheProcessors();
  }

  /** The door leads to the signing path, which is created later than the web server. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> boundedConnections(
      KeywellProperties properties,
      Environment environment,
      Handshakes handshakes,
      ObjectProvider<Door> provider) {
    EdgeConfiguration.refuseReplacedBounds(environment);
    Supplier<Door> door = SingletonSupplier.of(provider::getObject);
    return EdgeConfiguration.bounded(
        properties.http(), handshakes, (method, path) -> door.get().refusal(method, path));
  }

  /** A number or a boolean is not text: what a caller did not write is not signed. */
  @Bean
  JsonMapperBuilderCustomizer textIsText() {
    return builder ->
        builder.withCoercionConfig(
            LogicalType.Textual,
            text ->
                Stream.of(
                        CoercionInputShape.Integer,
                        CoercionInputShape.Float,
                        CoercionInputShape.Boolean)
                    .forEach(shape -> text.setCoercion(shape, CoercionAction.Fail)));
  }

  @Bean
  ServerHttpMessageConvertersCustomizer measuredJson(JsonMapper mapper) {
    return converters -> converters.withJsonConverter(new MeasuredJson(mapper));
  }

  @Bean
  WebMvcConfigurer acceptHeader() {
    return new WebMvcConfigurer() {
      @Override
      public void configureContentNegotiation(ContentNegotiationConfigurer negotiation) {
        negotiation.strategies(List.of(new AcceptHeader()));
      }
    };
  }

  @Bean
  WebMvcConfigurer bodyEncoding() {
    return new WebMvcConfigurer() {
      @Override
      public void addInterceptors(InterceptorRegistry interceptors) {
        interceptors.addInterceptor(new BodyEncoding());
      }
    };
  }

  @Bean
  HostFilter hostFilter(
      KeywellProperties properties, Environment environment, ProblemWriter problems) {
    return EdgeConfiguration.hostFilter("server", properties, environment, problems);
  }

  @Bean
  RefusalLog refusalLog() {
    Logger log = LoggerFactory.getLogger(RefusalLog.class);
    return new RefusalLog(System::nanoTime, log::info);
  }

  @Bean
  CertificateFilter certificateFilter(
      Environment environment,
      SslBundles bundles,
      Revocation revocation,
      Lookups lookups,
      ProblemWriter problems) {
    return RevocationConfiguration.filter(
        "server", environment, bundles, revocation, lookups, problems);
  }

  @Bean
  ProblemWriter problemWriter(ProblemListener listener) {
    return new ProblemWriter(listener);
  }
}
