package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.keywell.keypool.GeneratorState;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.signing.pool.Depth;
import org.keywell.signing.pool.LedgerWatch;
import org.keywell.signing.pool.PoolDepths;

/** Depths of both tiers, their trend, and the generator's state. */
final class PoolGauges implements MeterBinder {

  private static final String SPEC = Meters.KEY_SPEC;

  private final KeyPools pools;
  private final PoolDepths depths;
  private final LedgerWatch ledger;

  PoolGauges(KeyPools pools, PoolDepths depths, LedgerWatch ledger) {
    this.pools = pools;
    this.depths = depths;
    this.ledger = ledger;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    pools.config().limits().forEach(limit -> bind(meters, limit));
    for (GeneratorState state : GeneratorState.values()) {
      meters.gauge(
          "keywell.generator.threads",
          "What the generator does",
          () -> pools.generatorThreads(state),
          "state",
          Meters.label(state));
    }
  }

  private void bind(Meters meters, PoolLimits limit) {
    KeySpec spec = limit.spec();
    String label = spec.label();
    String keys = "Depth of both tiers of the pool";
    meters.gauge(
        "keywell.pool.keys", keys, () -> depth(spec, Depth::stored), "tier", "stored", SPEC, label);
    meters.gauge(
        "keywell.pool.keys", keys, () -> pools.depth(spec).loaded(), "tier", "loaded", SPEC, label);
    meters.gauge(
        "keywell.pool.keys", keys, () -> pools.depth(spec).held(), "tier", "held", SPEC, label);
    String capacity = "max-stored and loaded-capacity";
    meters.gauge(
        "keywell.pool.capacity.keys", capacity, limit::maxStored, "tier", "stored", SPEC, label);
    meters.gauge(
        "keywell.pool.capacity.keys",
        capacity,
        limit::loadedCapacity,
        "tier",
        "loaded",
        SPEC,
        label);
    meters.gauge("keywell.pool.low.water.keys", "low-water", limit::lowWater, SPEC, label);
    meters.gauge(
        "keywell.pool.loading.keys",
        "Keys on their way from the store into the HSM",
        () -> pools.depth(spec).loading(),
        SPEC,
        label);
    meters.gauge(
        "keywell.pool.leased.keys",
        "Loaded keys that a request has",
        () -> pools.depth(spec).leased(),
        SPEC,
        label);
    meters.gauge(
        "keywell.ledger.difference.keys",
        "Keys of all instances that came or went by no statement of Keywell's",
        () -> Meters.figure(ledger.difference(spec)),
        SPEC,
        label);
    meters.gauge(
        "keywell.ledger.unmatched.keys",
        "Keys that this instance has in hand, beyond those that it has claimed",
        () -> Meters.figure(ledger.unmatched(spec)),
        SPEC,
        label);
    meters.gauge(
        "keywell.pool.empty.seconds",
        "Until both tiers are empty at the current drain rate",
        () -> depth(spec, Depth::emptySeconds),
        SPEC,
        label);
    meters.gauge(
        "keywell.pool.full.seconds",
        "Until the stored tier is full at the current fill rate",
        () -> depth(spec, Depth::fullSeconds),
        SPEC,
        label);
  }

  /** Returns NaN while the depth is unknown. */
  private double depth(KeySpec spec, ToDoubleFunction<Depth> part) {
    return depths.of(spec).stream().mapToDouble(part).findFirst().orElse(Double.NaN);
  }
}
