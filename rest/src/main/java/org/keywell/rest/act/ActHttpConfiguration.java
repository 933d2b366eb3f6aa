package org.keywell.rest.act;

import org.keywell.json.ActRequestParser;
import org.keywell.json.SignRequestParser;
import org.keywell.settings.KeywellProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Acts of signing in two calls, over HTTP. */
@Configuration(proxyBeanMethods = false)
@Import(ActController.class)
public class ActHttpConfiguration {

  @Bean
  ActRequestParser actRequestParser(SignRequestParser parser, KeywellProperties properties) {
    return new ActRequestParser(parser, properties.acts());
  }
}
