package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.keywell.testkit.Scrape;

/** A registry of the kind that the service has, and what a scrape of it says. */
final class Registries {

  private Registries() {}

  static PrometheusMeterRegistry prometheus() {
    return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  }

  static Scrape scrape(MeterRegistry registry) {
    return Scrape.parse(((PrometheusMeterRegistry) registry).scrape());
  }
}
