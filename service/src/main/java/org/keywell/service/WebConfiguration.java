package org.keywell.service;

import org.keywell.service.security.BindingGuard;
import org.keywell.service.security.BodyLimitFilter;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** What surrounds every HTTP request. */
@Configuration(proxyBeanMethods = false)
public class WebConfiguration {

  /** Runs while the web server is configured: before anything listens. */
  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> bindingGuard(Environment environment) {
    return factory -> new BindingGuard(environment).check();
  }

  @Bean
  BodyLimitFilter bodyLimitFilter(
      KeywellProperties properties,
      @Qualifier("handlerExceptionResolver") HandlerExceptionResolver errors) {
    return new BodyLimitFilter(properties.sign().maxBody(), errors);
  }
}
