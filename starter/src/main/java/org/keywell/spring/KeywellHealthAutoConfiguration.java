package org.keywell.spring;

import org.keywell.client.KeywellClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Reports at {@code /actuator/health} whether the service takes requests. */
@AutoConfiguration(after = KeywellClientAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnSingleCandidate(KeywellClient.class)
@ConditionalOnEnabledHealthIndicator("keywell")
public final class KeywellHealthAutoConfiguration {

  @Bean
  @ConditionalOnMissingBean(name = "keywellHealthIndicator")
  HealthIndicator keywellHealthIndicator(KeywellClient client) {
    return new KeywellHealthIndicator(client);
  }
}
