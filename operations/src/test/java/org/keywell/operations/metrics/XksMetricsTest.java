package org.keywell.operations.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.keywell.testkit.Scrape;

final class XksMetricsTest {

  private static final long MILLISECOND = 1_000_000;

  private final MeterRegistry registry = Registries.prometheus();
  private final XksMetrics metrics = new XksMetrics(registry);

  private double count(String operation, String result) {
    return Registries.scrape(registry)
        .find("keywell_xks_requests_total", "operation", operation, "result", result)
        .orElse(Double.NaN);
  }

  @Test
  void countsAndTimesRequests() {
    metrics.answered("Encrypt", null, MILLISECOND);
    metrics.answered("Encrypt", null, 3 * MILLISECOND);
    metrics.answered("Encrypt", "InvalidStateException", 2 * MILLISECOND);

    assertThat(count("Encrypt", "success")).isEqualTo(2);
    assertThat(count("Encrypt", "InvalidStateException")).isEqualTo(1);
    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.value("keywell_xks_seconds_count", "operation", "Encrypt")).isEqualTo(3);
    assertThat(scrape.value("keywell_xks_seconds_sum", "operation", "Encrypt")).isEqualTo(0.006);
  }

  /** An alert that asks for an increase sees the first one. */
  @Test
  void whatAlertsAskForStartsAtZero() {
    assertThat(count("Decrypt", "DependencyTimeoutException")).isZero();
    assertThat(count("GetHealthStatus", "InternalException")).isZero();
    assertThat(count("Encrypt", "ThrottlingException")).isZero();
  }

  @Test
  void whatCouldNotBeReadIsCountedAndNotTimed() {
    metrics.answered(null, "ValidationException", 0);

    assertThat(count("none", "ValidationException")).isEqualTo(1);
    assertThat(Registries.scrape(registry).find("keywell_xks_seconds_count", "operation", "none"))
        .isEmpty();
  }
}
