package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.keywell.kmip.message.AnswerListener;
import org.keywell.operations.kmip.KmipView;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The metrics of the KMIP port; imported where it is wired, so that they exist only with it. */
@Configuration(proxyBeanMethods = false)
public class KmipMetricsConfiguration {

  @Bean
  AnswerListener kmipMetrics(MeterRegistry registry) {
    return new KmipMetrics(registry);
  }

  @Bean
  MeterBinder kmipGauges(KmipView view) {
    return new KmipGauges(view);
  }
}
