package org.keywell.service.launch;

import org.keywell.service.settings.KeywellProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.DefaultLifecycleProcessor;

/** How long the web server's part of a stop may last, of the time for all of it. */
@Configuration(proxyBeanMethods = false)
public class StopConfiguration {

  /**
   * In the place of Spring Boot's own. Requests for signatures have ended at half of the limit;
   * what the web server still waits for then, such as a read of a database that hangs, is left
   * behind in time for what comes after it.
   */
  @Bean
  DefaultLifecycleProcessor lifecycleProcessor(KeywellProperties properties) {
    DefaultLifecycleProcessor processor = new DefaultLifecycleProcessor();
    processor.setTimeoutPerShutdownPhase(
        properties.stopLimit().multipliedBy(2).dividedBy(3).toMillis());
    return processor;
  }
}
