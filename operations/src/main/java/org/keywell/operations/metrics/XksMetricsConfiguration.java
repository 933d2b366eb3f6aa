package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.keywell.operations.xks.XksView;
import org.keywell.xks.api.AnswerListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The metrics of the external key store; imported where that is wired. */
@Configuration(proxyBeanMethods = false)
public class XksMetricsConfiguration {

  @Bean
  AnswerListener xksMetrics(MeterRegistry registry) {
    return new XksMetrics(registry);
  }

  @Bean
  MeterBinder xksGauges(XksView view) {
    return new XksGauges(view);
  }
}
