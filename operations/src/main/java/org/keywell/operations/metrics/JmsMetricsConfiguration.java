package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.keywell.jms.MessageListener;
import org.keywell.operations.jms.JmsView;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The metrics of the way in over a broker; imported where that is wired. */
@Configuration(proxyBeanMethods = false)
public class JmsMetricsConfiguration {

  @Bean
  MessageListener jmsMetrics(MeterRegistry registry) {
    return new JmsMetrics(registry);
  }

  @Bean
  MeterBinder jmsGauges(JmsView view) {
    return new JmsGauges(view);
  }
}
