package org.keywell.service.ops.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.hsm.KeySpec;

/** Keys given to requests, and the end of keys in the device. */
final class PoolMetrics implements PoolListener {

  private record Of(
      Counter leased,
      Counter missed,
      Counter returned,
      Counter onTheFly,
      Counter destroyed,
      Counter orphaned) {}

  private final Map<KeySpec, Of> bySpec = new EnumMap<>(KeySpec.class);

  PoolMetrics(MeterRegistry registry, Collection<KeySpec> specs) {
    Meters meters = new Meters(registry);
    specs.forEach(spec -> bySpec.put(spec, register(meters, spec.label())));
  }

  private static Of register(Meters meters, String spec) {
    return new Of(
        meters.counter("keywell.keys.leased", "Loaded keys given to requests", "key_spec", spec),
        meters.counter(
            "keywell.pool.missed.leases", "Requests that found no loaded key", "key_spec", spec),
        meters.counter("keywell.keys.returned", "Leased keys taken back unused", "key_spec", spec),
        meters.counter(
            "keywell.keys.on.the.fly", "Keys generated for one request", "key_spec", spec),
        meters.counter(
            "keywell.keys.destroyed", "Private keys that are gone for certain", "key_spec", spec),
        meters.counter(
            "keywell.keys.orphaned", "Keys whose first destruction failed", "key_spec", spec));
  }

  @Override
  public void leased(KeySpec spec) {
    of(spec).leased().increment();
  }

  @Override
  public void missed(KeySpec spec) {
    of(spec).missed().increment();
  }

  @Override
  public void returned(KeySpec spec) {
    of(spec).returned().increment();
  }

  @Override
  public void generatedOnTheFly(KeySpec spec) {
    of(spec).onTheFly().increment();
  }

  @Override
  public void destroyed(KeySpec spec) {
    of(spec).destroyed().increment();
  }

  @Override
  public void orphaned(KeySpec spec) {
    of(spec).orphaned().increment();
  }

  private Of of(KeySpec spec) {
    return Objects.requireNonNull(bySpec.get(spec));
  }
}
