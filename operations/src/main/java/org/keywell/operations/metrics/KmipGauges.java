package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.keywell.keypool.PoolLimits;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.kmip.key.ReadyPairs;
import org.keywell.operations.kmip.KmipView;

/** Connections of the KMIP port, and key pairs for its clients. */
final class KmipGauges implements MeterBinder {

  private final KmipView view;

  KmipGauges(KmipView view) {
    this.view = view;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    ConnectionMeters.bind(meters, "keywell.kmip", "KMIP", view.listener());
    ReadyPairs pairs = view.pairs();
    for (KeySpec spec : KeySpec.values()) {
      meters.counter(
          "keywell.kmip.pairs.made",
          "Key pairs made while a KMIP client waited",
          pairs,
          from -> from.made(spec),
          Meters.KEY_SPEC,
          spec.label());
    }
    view.kinds().forEach(limit -> bind(meters, limit));
  }

  private void bind(Meters meters, PoolLimits limit) {
    KeySpec spec = limit.spec();
    String[] kind = {Meters.KEY_SPEC, spec.label()};
    String ready = "Key pairs that are ready for KMIP clients";
    meters.gauge(
        "keywell.kmip.pairs",
        ready,
        () -> Meters.figure(view.stored(spec)),
        "tier",
        "stored",
        Meters.KEY_SPEC,
        spec.label());
    meters.gauge(
        "keywell.kmip.pairs",
        ready,
        () -> view.pairs().claimed(spec),
        "tier",
        "claimed",
        Meters.KEY_SPEC,
        spec.label());
    meters.gauge("keywell.kmip.pairs.capacity", "max-stored", limit::maxStored, kind);
    meters.counter(
        "keywell.kmip.pairs.generated",
        "Key pairs durable in the store",
        view.pools(),
        pools -> pools.generated(spec),
        kind);
    meters.counter(
        "keywell.kmip.pairs.taken",
        "Key pairs of the pool that KMIP clients got",
        view.pairs(),
        pairs -> pairs.taken(spec),
        kind);
  }
}
