package org.keywell.service.launch;

import org.keywell.settings.KeywellProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;

/** Limits the web server's share of the time for a stop. */
@Configuration(proxyBeanMethods = false)
public class StopConfiguration {

  /**
   * Replaces Spring Boot's own. Requests for signatures have ended at half the limit; anything that
   * the web server still waits for, such as a read from a hanging database, is abandoned in time
   * for the remaining steps.
   */
  @Bean
  DefaultLifecycleProcessor lifecycleProcessor(KeywellProperties properties) {
    DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
    processor.setTimeoutPerShutdownPhase(
        properties.stopLimit().multipliedBy(2).dividedBy(3).toMillis());
    return processor;
  }
}
