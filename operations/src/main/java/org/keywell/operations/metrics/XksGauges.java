package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import org.keywell.operations.xks.XksView;

/** Connections, credentials and calls of the external key store. */
final class XksGauges implements MeterBinder {

  private static final double NANOS_PER_SECOND = 1e9;

  private final XksView view;

  XksGauges(XksView view) {
    this.view = view;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    ConnectionMeters.bind(meters, "keywell.xks", "XKS", view.listener());
    meters.gauge(
        "keywell.xks.credentials.unusable",
        "Whether the credentials file cannot be used, and those before stay valid",
        () -> view.credentials().unusable().isPresent() ? 1 : 0);
    meters.gauge(
        "keywell.xks.credentials.unusable.seconds",
        "For how long",
        () -> view.credentials().unusable().orElse(Duration.ZERO).toNanos() / NANOS_PER_SECOND);
    for (String device : view.devices()) {
      meters.gauge(
          "keywell.xks.hsm.calls",
          "XKS calls in the HSM",
          () -> view.callsIn(device),
          Meters.DEVICE,
          device);
      meters.gauge(
          "keywell.xks.hsm.calls.limit", "calls-per-hsm", view::callsPerHsm, Meters.DEVICE, device);
    }
  }
}
