package org.keywell.service.ops.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.keywell.keypool.GenerateListener;
import org.keywell.keypool.hsm.KeySpec;

/** Keys made for the store, and how long each stage of that takes. */
final class GenerationMetrics implements GenerateListener {

  private record Of(Map<Stage, Timer> stages, Counter stored, Counter failed) {}

  private final Map<KeySpec, Of> bySpec = new EnumMap<>(KeySpec.class);

  GenerationMetrics(MeterRegistry registry, Collection<KeySpec> specs) {
    Meters meters = new Meters(registry);
    specs.forEach(spec -> bySpec.put(spec, register(meters, spec.label())));
  }

  private static Of register(Meters meters, String spec) {
    Map<Stage, Timer> stages = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      stages.put(
          stage,
          meters.timer(
              "keywell.generate",
              "Stages of making one key for the store",
              "stage",
              Meters.label(stage),
              "key_spec",
              spec));
    }
    return new Of(
        stages,
        meters.counter("keywell.keys.generated", "Keys durable in the store", "key_spec", spec),
        meters.counter(
            "keywell.keys.generation.failed",
            "Keys begun and not known to be in the store",
            "key_spec",
            spec));
  }

  @Override
  public void timed(KeySpec spec, Stage stage, long nanos) {
    Objects.requireNonNull(of(spec).stages().get(stage)).record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void stored(KeySpec spec) {
    of(spec).stored().increment();
  }

  @Override
  public void failed(KeySpec spec) {
    of(spec).failed().increment();
  }

  private Of of(KeySpec spec) {
    return Objects.requireNonNull(bySpec.get(spec));
  }
}
