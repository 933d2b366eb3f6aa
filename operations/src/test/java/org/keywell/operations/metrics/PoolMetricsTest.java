package org.keywell.operations.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.testkit.Scrape;

final class PoolMetricsTest {

  private final MeterRegistry registry = Registries.prometheus();
  private final PoolMetrics metrics = new PoolMetrics(registry, List.of(KeySpec.EC_P256));

  /** The device proves itself with a kind of its own choice, whatever is pooled. */
  @ParameterizedTest
  @EnumSource(KeySpec.class)
  void countsTheEndOfKeysOfEveryKind(KeySpec spec) {
    metrics.destroyed(spec);
    metrics.orphaned(spec);

    Scrape scrape = Registries.scrape(registry);
    assertThat(scrape.value("keywell_keys_destroyed_total", "key_spec", spec.label())).isEqualTo(1);
    assertThat(scrape.value("keywell_keys_orphaned_total", "key_spec", spec.label())).isEqualTo(1);
  }
}
