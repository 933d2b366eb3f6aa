package org.keywell.signing.start;

import org.keywell.settings.KeywellProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How a start waits, and what ends it early. */
@Configuration(proxyBeanMethods = false)
public class StartConfiguration {

  @Bean
  StartPatience startPatience(KeywellProperties properties, ObjectProvider<EndSignal> end) {
    // If nobody catches signals, none is raised.
    EndSignal signal = end.getIfAvailable(EndSignal::new);
    return new StartPatience(properties.startPatience(), System::nanoTime, signal::await);
  }
}
