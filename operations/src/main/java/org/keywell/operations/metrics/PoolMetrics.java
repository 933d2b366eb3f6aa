package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.keywell.keypool.PoolListener;
import org.keywell.keypool.hsm.KeySpec;

/** The life of keys: generated, claimed, loaded, leased and ended. */
final class PoolMetrics implements PoolListener {

  /** Only for pooled kinds. */
  private final Map<KeySpec, KeyMeters> bySpec = new EnumMap<>(KeySpec.class);

  /** For all kinds: a device proves itself with throw-away keys, possibly of unpooled kinds. */
  private final Map<KeySpec, Counter> destroyed = new EnumMap<>(KeySpec.class);

  private final Map<KeySpec, Counter> orphaned = new EnumMap<>(KeySpec.class);

  private final Counter forfeited;
  private final Timer reopened;
  private final Timer notReopened;

  /**
   * @param pooled the kinds that are pooled
   */
  PoolMetrics(MeterRegistry registry, Collection<KeySpec> pooled) {
    Meters meters = new Meters(registry);
    pooled.forEach(spec -> bySpec.put(spec, KeyMeters.register(meters, spec.label())));
    for (KeySpec spec : KeySpec.values()) {
      destroyed.put(
          spec,
          meters.counter(
              "keywell.keys.destroyed",
              "Private keys that are gone for certain",
              Meters.KEY_SPEC,
              spec.label()));
      orphaned.put(
          spec,
          meters.counter(
              "keywell.keys.orphaned",
              "Keys whose first destruction failed",
              Meters.KEY_SPEC,
              spec.label()));
    }
    this.forfeited =
        meters.counter("keywell.keys.forfeited", "Keys that an earlier run left behind");
    this.reopened = reopening(meters, "succeeded");
    this.notReopened = reopening(meters, "failed");
  }

  private static Timer reopening(Meters meters, String outcome) {
    return meters.timer("keywell.hsm.reopen", "Attempts to reopen the device", "outcome", outcome);
  }

  private KeyMeters of(KeySpec spec) {
    return Objects.requireNonNull(bySpec.get(spec));
  }

  @Override
  public void timed(KeySpec spec, Stage stage, long nanos) {
    record(Objects.requireNonNull(of(spec).stages().get(stage)), nanos);
  }

  @Override
  public void stored(KeySpec spec) {
    of(spec).stored().increment();
  }

  @Override
  public void generationFailed(KeySpec spec) {
    of(spec).generationFailed().increment();
  }

  @Override
  public void claimed(KeySpec spec, int keys, long nanos) {
    record(of(spec).claim(), nanos);
    of(spec).claimed().increment(keys);
  }

  @Override
  public void unwrapped(KeySpec spec, long nanos) {
    record(of(spec).unwrap(), nanos);
  }

  private static void record(Timer timer, long nanos) {
    timer.record(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void loaded(KeySpec spec) {
    of(spec).loaded().increment();
  }

  @Override
  public void ended(KeySpec spec, int keys, End end) {
    Objects.requireNonNull(of(spec).ends().get(end)).increment(keys);
  }

  @Override
  public void finished(KeySpec spec, Load load) {
    Objects.requireNonNull(of(spec).loads().get(load)).increment();
  }

  @Override
  public void forfeited(int keys) {
    forfeited.increment(keys);
  }

  @Override
  public void reopened(boolean succeeded, long nanos) {
    record(succeeded ? reopened : notReopened, nanos);
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
    Objects.requireNonNull(destroyed.get(spec)).increment();
  }

  @Override
  public void orphaned(KeySpec spec) {
    Objects.requireNonNull(orphaned.get(spec)).increment();
  }
}
