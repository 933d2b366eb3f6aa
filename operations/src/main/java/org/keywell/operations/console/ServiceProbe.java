package org.keywell.operations.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.keywell.keypool.Device;
import org.keywell.keypool.GeneratorState;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.operations.console.Sample.PoolSample;
import org.keywell.operations.console.ServiceState.Fault;
import org.keywell.operations.health.PartState;
import org.keywell.operations.health.ReadinessPart;
import org.keywell.operations.jms.JmsView;
import org.keywell.operations.kmip.KmipView;
import org.keywell.operations.xks.XksView;
import org.keywell.signing.pool.Depth;
import org.keywell.signing.pool.PoolDepths;
import org.keywell.signing.sign.SignRequestQueue;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;

/** Reads the state of the service's parts. Calls neither HSM nor database. Thread-safe. */
final class ServiceProbe {

  private final KeyPools pools;
  private final PoolDepths depths;
  private final SignRequestQueue queue;
  private final IntSupplier openActs;
  private final List<ReadinessPart> parts;
  private final ApplicationAvailability availability;
  private final @Nullable KmipView kmip;
  private final @Nullable XksView xks;
  private final @Nullable JmsView jms;

  ServiceProbe(
      KeyPools pools,
      PoolDepths depths,
      SignRequestQueue queue,
      IntSupplier openActs,
      List<ReadinessPart> parts,
      ApplicationAvailability availability,
      @Nullable KmipView kmip,
      @Nullable XksView xks,
      @Nullable JmsView jms) {
    this.pools = pools;
    this.depths = depths;
    this.queue = queue;
    this.openActs = openActs;
    this.parts = List.copyOf(parts);
    this.availability = availability;
    this.kmip = kmip;
    this.xks = xks;
    this.jms = jms;
  }

  int queueLength() {
    return queue.length();
  }

  List<PoolSample> pools() {
    return pools.config().specs().stream().map(this::pool).toList();
  }

  private PoolSample pool(KeySpec spec) {
    Long stored = depths.of(spec).map(Depth::stored).orElse(null);
    // JSON has no infinity.
    Double emptySeconds =
        depths.of(spec).map(Depth::emptySeconds).filter(Double::isFinite).orElse(null);
    return new PoolSample(stored, pools.depth(spec).loaded(), emptySeconds, pools.leased(spec));
  }

  ServiceState state() {
    List<Fault> faults = new ArrayList<>();
    if (availability.getReadinessState() != ReadinessState.ACCEPTING_TRAFFIC) {
      faults.add(new Fault("service", "it starts or stops"));
    }
    List<String> warnings = new ArrayList<>();
    for (ReadinessPart part : parts) {
      PartState state = part.state();
      state.fault().ifPresent(fault -> faults.add(new Fault(part.name(), fault.reason())));
      warnings.addAll(state.warnings());
    }
    return new ServiceState(
        faults.isEmpty(),
        faults,
        warnings,
        pools.devices().stream().map(ServiceProbe::hsm).toList(),
        pools.orphans(),
        openActs.getAsInt(),
        generatorThreads(),
        kmip == null ? null : kmip(kmip),
        xks == null ? null : xks(xks),
        jms == null ? null : jms(jms));
  }

  private static ServiceState.Jms jms(JmsView view) {
    return new ServiceState.Jms(
        view.queues().size(),
        view.consuming(),
        view.outage().map(Duration::toSeconds).orElse(null));
  }

  private static ServiceState.Xks xks(XksView view) {
    return new ServiceState.Xks(
        ServiceState.Connections.of(view.listener()),
        view.credentials().unusable().map(Duration::toSeconds).orElse(null));
  }

  private static ServiceState.Kmip kmip(KmipView view) {
    return new ServiceState.Kmip(
        ServiceState.Connections.of(view.listener()),
        view.kinds().stream()
            .filter(kind -> kind.maxStored() > 0)
            .map(kind -> pairs(view, kind.spec()))
            .toList());
  }

  private static ServiceState.Pairs pairs(KmipView view, KeySpec spec) {
    OptionalLong stored = view.stored(spec);
    return new ServiceState.Pairs(
        spec.label(),
        stored.isPresent() ? stored.getAsLong() + view.pairs().claimed(spec) : null,
        view.pairs().made(spec));
  }

  private static ServiceState.Hsm hsm(Device device) {
    HsmHealth health = device.health();
    return new ServiceState.Hsm(
        device.name(),
        health.down().isEmpty(),
        health.state().name().toLowerCase(Locale.ROOT),
        health.hung());
  }

  private Map<String, Integer> generatorThreads() {
    Map<String, Integer> threads = new LinkedHashMap<>();
    for (GeneratorState state : GeneratorState.values()) {
      threads.put(state.name().toLowerCase(Locale.ROOT), pools.generatorThreads(state));
    }
    return threads;
  }
}
