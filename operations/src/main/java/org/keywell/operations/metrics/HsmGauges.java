package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.keywell.keypool.Device;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.keypool.hsm.KeySpec;
import org.keywell.operations.health.DeviceHealths;
import org.keywell.operations.health.Moments;
import org.keywell.settings.DeviceProperties;
import org.keywell.settings.HsmProperties;
import org.keywell.signing.pool.LedgerWatch;

/** The state of each device, and its keys. */
final class HsmGauges implements MeterBinder {

  private final KeyPools pools;
  private final DeviceHealths devices;
  private final LedgerWatch ledger;
  private final HsmProperties settings;
  private final Moments moments;

  HsmGauges(
      KeyPools pools,
      DeviceHealths devices,
      LedgerWatch ledger,
      HsmProperties settings,
      Moments moments) {
    this.pools = pools;
    this.devices = devices;
    this.ledger = ledger;
    this.settings = settings;
    this.moments = moments;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    for (DeviceProperties device : settings.devices()) {
      String name = device.name();
      meters.gauge(
          "keywell.hsm.sessions.limit", "max-sessions", device::maxSessions, Meters.DEVICE, name);
      bindHealth(meters, name);
      meters.gauge(
          "keywell.hsm.left.out",
          "Whether the device can be reached and cannot be used",
          () -> devices.isLeftOut(name) ? 1 : 0,
          Meters.DEVICE,
          name);
      bindKeys(meters, name);
    }
    meters.gauge("keywell.hsm.info", "The device that is simulated", () -> 1, "profile", "none");
  }

  private void bindHealth(Meters meters, String device) {
    gauge(
        meters,
        device,
        "keywell.hsm.up",
        "Whether the device works",
        health -> health.down().isEmpty() ? 1 : 0);
    for (HsmHealth.State state : HsmHealth.State.values()) {
      gauge(
          meters,
          device,
          "keywell.hsm.state",
          "Whether the device is in this state",
          health -> health.state() == state ? 1 : 0,
          "state",
          Meters.label(state));
    }
    gauge(
        meters,
        device,
        "keywell.hsm.hung",
        "Whether a call has been running for longer than its limit",
        health -> health.hung() ? 1 : 0);
    gauge(
        meters,
        device,
        "keywell.hsm.logged.in",
        "Whether session and login are alive",
        health -> health.loggedIn() ? 1 : 0);
    gauge(
        meters,
        device,
        "keywell.hsm.calls.in.progress",
        "Calls at this moment",
        HsmHealth::callsInProgress);
    gauge(
        meters,
        device,
        "keywell.hsm.oldest.call.seconds",
        "How long the longest call in progress has been running",
        health -> health.oldestCall().toNanos() / 1e9);
    gauge(
        meters,
        device,
        "keywell.hsm.last.success.timestamp.seconds",
        "The last call that succeeded",
        health -> seconds(moments.at(health.lastSuccessNanos())));
    gauge(
        meters,
        device,
        "keywell.hsm.last.failure.timestamp.seconds",
        "The last call that put the device in doubt",
        health ->
            health
                .lastFailure()
                .map(failure -> seconds(moments.at(failure.lastNanos())))
                .orElse(0.0));
  }

  private void gauge(
      Meters meters,
      String device,
      String name,
      String description,
      ToDoubleFunction<HsmHealth> figure,
      String... tags) {
    meters.gauge(
        name,
        description,
        () -> devices.of(device).stream().mapToDouble(figure).findFirst().orElse(Double.NaN),
        Stream.concat(Stream.of(Meters.DEVICE, device), Arrays.stream(tags))
            .toArray(String[]::new));
  }

  private void bindKeys(Meters meters, String device) {
    for (KeySpec spec : pools.config().specs()) {
      meters.gauge(
          "keywell.hsm.loaded.keys",
          "Keys loaded in the device",
          () -> of(device, pooled -> pooled.depth(spec).loaded()),
          Meters.DEVICE,
          device,
          Meters.KEY_SPEC,
          spec.label());
    }
    meters.counter(
        "keywell.hsm.wrong.signatures",
        "Signatures that did not verify with the key that made them",
        pools,
        all -> wrongSignatures(all, device),
        Meters.DEVICE,
        device);
    meters.gauge(
        "keywell.hsm.full",
        "Whether the device had no room for the last key",
        () -> of(device, pooled -> pooled.isFull() ? 1 : 0),
        Meters.DEVICE,
        device);
    meters.gauge(
        "keywell.hsm.unexplained.keys",
        "Live private keys beyond those that the pools know of",
        () -> Meters.figure(ledger.unmatchedIn(device)),
        Meters.DEVICE,
        device);
    meters.gauge(
        "keywell.pool.orphans",
        "Keys live because they were not destroyed",
        () -> of(device, Device::orphans),
        Meters.DEVICE,
        device);
    meters.gauge(
        "keywell.pool.orphans.limit",
        "max-orphans",
        pools.config()::maxOrphans,
        Meters.DEVICE,
        device);
  }

  private static double wrongSignatures(KeyPools pools, String device) {
    return pools.devices().stream()
        .filter(pooled -> pooled.name().equals(device))
        .mapToLong(Device::wrongSignatures)
        .sum();
  }

  /** Returns NaN while the pools do not use the device. */
  private double of(String device, ToDoubleFunction<Device> figure) {
    return pools.devices().stream()
        .filter(pooled -> pooled.name().equals(device))
        .mapToDouble(figure)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static double seconds(Instant moment) {
    return moment.toEpochMilli() / 1000.0;
  }
}
