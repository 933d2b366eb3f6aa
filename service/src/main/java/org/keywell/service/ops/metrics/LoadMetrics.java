package org.keywell.service.ops.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.keywell.keypool.LoadListener;
import org.keywell.keypool.LoadRequest.Outcome;
import org.keywell.keypool.hsm.KeySpec;

/** Keys claimed from the store, and what becomes of them. */
final class LoadMetrics implements LoadListener {

  private record Of(
      Timer claim,
      Timer unwrap,
      Counter claimed,
      Counter loaded,
      Map<End, Counter> ends,
      Map<Outcome, Counter> batches) {}

  private final Map<KeySpec, Of> bySpec = new EnumMap<>(KeySpec.class);
  private final Counter forfeited;

  LoadMetrics(MeterRegistry registry, Collection<KeySpec> specs) {
    Meters meters = new Meters(registry);
    specs.forEach(spec -> bySpec.put(spec, register(meters, spec.label())));
    this.forfeited =
        meters.counter("keywell.keys.forfeited", "Keys that an earlier run left behind");
  }

  private static Of register(Meters meters, String spec) {
    Map<End, Counter> ends = new EnumMap<>(End.class);
    for (End end : End.values()) {
      ends.put(
          end,
          meters.counter(
              "keywell.keys." + name(end), "Claimed keys that no request got", "key_spec", spec));
    }
    Map<Outcome, Counter> batches = new EnumMap<>(Outcome.class);
    for (Outcome outcome : Outcome.values()) {
      batches.put(
          outcome,
          meters.counter(
              "keywell.load.batches",
              "What came of a need for keys",
              "outcome",
              label(outcome),
              "key_spec",
              spec));
    }
    return new Of(
        timer(meters, "claim", spec),
        timer(meters, "unwrap", spec),
        meters.counter("keywell.keys.claimed", "Keys taken out of the store", "key_spec", spec),
        meters.counter("keywell.keys.loaded", "Keys put into the loaded tier", "key_spec", spec),
        ends,
        batches);
  }

  private static Timer timer(Meters meters, String stage, String spec) {
    return meters.timer(
        "keywell.load",
        "Claims of a batch, and unwraps of one key",
        "stage",
        stage,
        "key_spec",
        spec);
  }

  private static String name(End end) {
    return switch (end) {
      case PUT_BACK -> "put.back";
      case DISCARDED -> "discarded";
      case BARRED -> "barred";
      case LOST -> "lost";
    };
  }

  private static String label(Outcome outcome) {
    return switch (outcome) {
      case STORE_HAD_KEYS -> "loaded";
      case STORE_DRY -> "store_dry";
      case FAILED -> "failed";
    };
  }

  @Override
  public void claimed(KeySpec spec, int keys, long nanos) {
    of(spec).claim().record(nanos, TimeUnit.NANOSECONDS);
    of(spec).claimed().increment(keys);
  }

  @Override
  public void unwrapped(KeySpec spec, long nanos) {
    of(spec).unwrap().record(nanos, TimeUnit.NANOSECONDS);
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
  public void finished(KeySpec spec, Outcome outcome) {
    Objects.requireNonNull(of(spec).batches().get(outcome)).increment();
  }

  @Override
  public void forfeited(int keys) {
    forfeited.increment(keys);
  }

  private Of of(KeySpec spec) {
    return Objects.requireNonNull(bySpec.get(spec));
  }
}
