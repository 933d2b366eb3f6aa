package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.keywell.signing.log.SigningLog;

/** Whether the log only grows. All are 0 while none is kept. */
final class LogGauges implements MeterBinder {

  private final SigningLog log;

  LogGauges(SigningLog log) {
    this.log = log;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge(
        "keywell.log.altered",
        "Whether the stored log contradicts what it was before",
        () -> log.damage().isPresent() ? 1 : 0);
    meters.gauge(
        "keywell.log.missing.entries",
        "Entries that this instance has committed and that the log lacks",
        log::missing);
    meters.gauge(
        "keywell.log.unsigned.entries", "Entries that no checkpoint has yet", log::unsigned);
  }
}
