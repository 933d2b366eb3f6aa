package org.keywell.service.ops.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.keywell.service.caller.CallerRegister;

/** How many callers there are, and whether their file is the one that counts. */
final class CallerGauges implements MeterBinder {

  private final CallerRegister register;

  CallerGauges(CallerRegister register) {
    this.register = register;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge("keywell.callers", "Callers that the callers file names", register::size);
    meters.gauge(
        "keywell.callers.file.refused",
        "1 while the callers file is not acceptable, and an earlier one counts",
        () -> register.isFileRefused() ? 1 : 0);
  }
}
