package org.keywell.operations.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.keywell.keypool.PoolListener.End;
import org.keywell.keypool.PoolListener.Load;
import org.keywell.keypool.PoolListener.Stage;

/** The meters of one pooled kind of key. */
record KeyMeters(
    Map<Stage, Timer> stages,
    Counter stored,
    Counter generationFailed,
    Timer claim,
    Timer unwrap,
    Counter claimed,
    Counter loaded,
    Map<End, Counter> ends,
    Map<Load, Counter> loads,
    Counter leased,
    Counter missed,
    Counter returned,
    Counter onTheFly) {

  static KeyMeters register(Meters meters, String spec) {
    return new KeyMeters(
        each(Stage.class, stage -> generate(meters, Meters.label(stage), spec)),
        counter(meters, "keywell.keys.generated", "Keys durable in the store", spec),
        counter(
            meters,
            "keywell.keys.generation.failed",
            "Keys begun and not known to be in the store",
            spec),
        load(meters, "claim", spec),
        load(meters, "unwrap", spec),
        counter(meters, "keywell.keys.claimed", "Keys taken out of the store", spec),
        counter(meters, "keywell.keys.loaded", "Keys put into the loaded tier", spec),
        each(
            End.class,
            end ->
                counter(
                    meters, "keywell.keys." + name(end), "Claimed keys that no request got", spec)),
        each(Load.class, load -> batches(meters, label(load), spec)),
        counter(meters, "keywell.keys.leased", "Loaded keys given to requests", spec),
        counter(meters, "keywell.pool.missed.leases", "Requests that found no loaded key", spec),
        counter(meters, "keywell.keys.returned", "Leased keys taken back unused", spec),
        counter(meters, "keywell.keys.on.the.fly", "Keys generated for one request", spec));
  }

  private static <E extends Enum<E>, M> Map<E, M> each(Class<E> type, Function<E, M> meter) {
    Map<E, M> all = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      all.put(constant, meter.apply(constant));
    }
    return all;
  }

  private static Counter counter(Meters meters, String name, String what, String spec) {
    return meters.counter(name, what, "key_spec", spec);
  }

  private static Timer generate(Meters meters, String stage, String spec) {
    return meters.timer(
        "keywell.generate",
        "Stages of making one key for the store",
        "stage",
        stage,
        "key_spec",
        spec);
  }

  private static Timer load(Meters meters, String stage, String spec) {
    return meters.timer(
        "keywell.load",
        "Claims of a batch, and unwraps of one key",
        "stage",
        stage,
        "key_spec",
        spec);
  }

  private static Counter batches(Meters meters, String outcome, String spec) {
    return meters.counter(
        "keywell.load.batches",
        "What came of a need for keys",
        "outcome",
        outcome,
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

  private static String label(Load load) {
    return switch (load) {
      case STORE_HAD_KEYS -> "loaded";
      case STORE_DRY -> "store_dry";
      case FAILED -> "failed";
    };
  }
}
