package org.keywell.service.ops.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import org.keywell.keypool.KeyPools;
import org.keywell.keypool.hsm.HsmHealth;
import org.keywell.service.ops.health.HsmPart;
import org.keywell.service.ops.health.Moments;
import org.keywell.service.settings.HsmProperties;

/** How the device is. */
final class HsmGauges implements MeterBinder {

  private final KeyPools pools;
  private final HsmPart part;
  private final HsmProperties settings;
  private final Moments moments;

  HsmGauges(KeyPools pools, HsmPart part, HsmProperties settings, Moments moments) {
    this.pools = pools;
    this.part = part;
    this.settings = settings;
    this.moments = moments;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge(
        "keywell.hsm.calls.in.progress",
        "Calls at this moment",
        () -> pools.health().callsInProgress());
    meters.gauge("keywell.hsm.sessions.limit", "max-sessions", settings::maxSessions);
    meters.gauge(
        "keywell.hsm.oldest.call.seconds",
        "How long the longest call in progress has been running",
        () -> pools.health().oldestCall().toNanos() / 1e9);
    meters.gauge(
        "keywell.hsm.up", "Whether the device works", () -> part.state().isReady() ? 1 : 0);
    for (HsmHealth.State state : HsmHealth.State.values()) {
      meters.gauge(
          "keywell.hsm.state",
          "Whether the device is in this state",
          () -> pools.health().state() == state ? 1 : 0,
          "state",
          Meters.label(state));
    }
    meters.gauge(
        "keywell.hsm.hung",
        "Whether a call has been running for longer than its limit",
        () -> pools.health().hung() ? 1 : 0);
    meters.gauge(
        "keywell.hsm.logged.in",
        "Whether session and login are alive",
        () -> pools.health().loggedIn() ? 1 : 0);
    meters.gauge(
        "keywell.hsm.last.success.timestamp.seconds",
        "The last call that succeeded",
        () -> seconds(moments.at(pools.health().lastSuccessNanos())));
    meters.gauge(
        "keywell.hsm.last.failure.timestamp.seconds",
        "The last call that put the device in doubt",
        () ->
            pools
                .health()
                .lastFailure()
                .map(failure -> seconds(moments.at(failure.lastNanos())))
                .orElse(0.0));
    meters.gauge("keywell.hsm.info", "The device that is simulated", () -> 1, "profile", "none");
  }

  private static double seconds(Instant moment) {
    return moment.toEpochMilli() / 1000.0;
  }
}
