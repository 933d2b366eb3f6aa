package org.keywell.spring;

import io.micrometer.observation.ObservationRegistry;
import org.keywell.client.CallObserver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Adds each call to the application's metrics and traces. */
@AutoConfiguration(
    before = KeywellClientAutoConfiguration.class,
    afterName =
        "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
public final class KeywellObservationAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean
  CallObserver keywellCallObserver(ObservationRegistry registry) {
    return new CallObservations(registry);
  }
}
