package org.keywell.service;

import java.util.stream.Stream;
import org.keywell.service.security.BindingGuard;
import org.keywell.service.security.BodyLimitFilter;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.HandlerExceptionResolver;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** What surrounds every HTTP request. */
@Configuration(proxyBeanMethods = false)
public class WebConfiguration {

  /** Runs while the web server is configured: before anything listens. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> bindingGuard(Environment environment) {
    return factory -> new BindingGuard(environment).check();
  }

  /** A number or a boolean is no text: what a caller did not write is not signed. */
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
  BodyLimitFilter bodyLimitFilter(
      KeywellProperties properties,
      @Qualifier("handlerExceptionResolver") HandlerExceptionResolver errors) {
    return new BodyLimitFilter(properties.sign().maxBody(), errors);
  }
}
