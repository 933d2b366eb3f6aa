package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.tls.Revocation;
import org.keywell.signing.caller.CallerRegister;

/** The number of callers, whether their file is in effect, and the end of their CRL. */
final class CallerGauges implements MeterBinder {

  private final CallerRegister register;
  private final Revocation revocation;

  CallerGauges(CallerRegister register, Revocation revocation) {
    this.register = register;
    this.revocation = revocation;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge("keywell.callers", "Callers that the callers file names", register::size);
    meters.gauge(
        "keywell.callers.file.refused",
        "1 while the callers file is not acceptable, and an earlier one counts",
        () -> register.isFileRefused() ? 1 : 0);
    meters.gauge(
        "keywell.callers.crl.expiry.timestamp.seconds",
        "nextUpdate of the CRL file's list that ends first",
        this::listEnd);
  }

  private double listEnd() {
    @Nullable Instant end = revocation.listEnd();
    return end == null ? Double.NaN : end.getEpochSecond();
  }
}
