package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import org.keywell.settings.DeviceProperties;
import org.keywell.signing.stamp.ClockGuard;
import org.keywell.signing.stamp.TimeStamps;

/** The clock that time stamps show, and until when their units' certificates are valid. */
final class StampGauges implements MeterBinder {

  private static final double NANOS_PER_SECOND = 1e9;

  private final ClockGuard clock;
  private final TimeStamps stamps;
  private final List<DeviceProperties> devices;

  StampGauges(ClockGuard clock, TimeStamps stamps, List<DeviceProperties> devices) {
    this.clock = clock;
    this.stamps = stamps;
    this.devices = devices;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge(
        "keywell.clock.trusted",
        "Whether time stamps are made by this machine's clock",
        () -> clock.doubt().isEmpty() ? 1 : 0);
    meters.gauge(
        "keywell.clock.offset.seconds",
        "The time servers' time minus this machine's",
        () -> clock.offset().map(offset -> offset.toNanos() / NANOS_PER_SECOND).orElse(Double.NaN));
    meters.expiry(
        "keywell.tsa.certificate.expiry.timestamp.seconds",
        "When the chain of what makes time stamps in this device ends",
        devices,
        stamps::end);
  }
}
