package org.keywell.operations.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.keywell.testkit.Scrape;

final class MetersTest {

  private final MeterRegistry registry = Registries.prometheus();
  private final Meters meters = new Meters(registry);
  private final Timer timer = meters.timer("keywell.try", "A try", "stage", "one");

  private double within(String bound) {
    return Registries.scrape(registry).value("keywell_try_seconds_bucket", "le", bound);
  }

  @Test
  void theBoundsAreThoseOfThePage() {
    List<String> bounds =
        Registries.scrape(registry).samples().stream()
            .filter(sample -> sample.name().equals("keywell_try_seconds_bucket"))
            .map(sample -> String.valueOf(sample.labels().get("le")))
            .toList();

    assertThat(bounds)
        .containsExactly(
            "1.0E-4", "2.5E-4", "5.0E-4", "0.001", "0.0025", "0.005", "0.01", "0.02", "0.05", "0.1",
            "0.3", "1.0", "3.0", "10.0", "+Inf");
  }

  /** The thesis's limits are "within", so a duration on the limit counts as within it. */
  @ParameterizedTest
  @CsvSource({"20, 0.02", "50, 0.05", "100, 0.1", "300, 0.3", "1000, 1.0", "3000, 3.0"})
  void theLimitsAreExact(long millis, String bound) {
    timer.record(Duration.ofMillis(millis).minusNanos(1));
    timer.record(Duration.ofMillis(millis));
    timer.record(Duration.ofMillis(millis).plusNanos(1));

    assertThat(within(bound)).isEqualTo(2);
    assertThat(within("+Inf")).isEqualTo(3);
  }

  @Test
  void aGaugeIsKeptThoughNobodyElseHoldsIt() {
    meters.gauge("keywell.some", "Some", () -> 7);
    System.gc();

    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.value("keywell_some")).isEqualTo(7);
    assertThat(scrape.types()).containsEntry("keywell_some", "gauge");
  }

  @Test
  void aCounterShowsBeforeItCounts() {
    meters.counter("keywell.some", "Some", "limit", "x");

    assertThat(Registries.scrape(registry).value("keywell_some_total", "limit", "x")).isZero();
  }

  @Test
  void labelsAreInLowerCase() {
    assertThat(Meters.label(TimeUnit.NANOSECONDS)).isEqualTo("nanoseconds");
  }
}
