package org.keywell.operations.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

final class JmsMetricsTest {

  private final MeterRegistry registry = Registries.prometheus();
  private final JmsMetrics metrics = new JmsMetrics(registry);

  private double value(String name, String... labels) {
    return Registries.scrape(registry).find(name, labels).orElse(Double.NaN);
  }

  @Test
  void countsWhatBecomesOfMessages() {
    metrics.answered("signed");
    metrics.answered("signed");
    metrics.answered("bad-digest");
    metrics.moved("replayed");
    metrics.returned();

    assertThat(value("keywell_jms_requests_total", "result", "signed")).isEqualTo(2);
    assertThat(value("keywell_jms_requests_total", "result", "bad-digest")).isEqualTo(1);
    assertThat(value("keywell_jms_dead_letters_total", "reason", "replayed")).isEqualTo(1);
    assertThat(value("keywell_jms_returned_total")).isEqualTo(1);
  }

  /** An alert that asks for an increase sees the first one. */
  @Test
  void whatAlertsAskForStartsAtZero() {
    assertThat(value("keywell_jms_requests_total", "result", "interrupted")).isZero();
    assertThat(value("keywell_jms_dead_letters_total", "reason", "signature-invalid")).isZero();
    assertThat(value("keywell_jms_dead_letters_total", "reason", "caller-unknown")).isZero();
  }
}
