package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.keywell.signing.log.SigningLog;
import org.keywell.signing.log.Witnesses;

/** Whether the log only grows, and is witnessed. All are 0 while none is kept. */
final class LogGauges implements MeterBinder {

  private final SigningLog log;
  private final Witnesses witnesses;

  LogGauges(SigningLog log, Witnesses witnesses) {
    this.log = log;
    this.witnesses = witnesses;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge(
        "keywell.log.altered",
        "Whether the stored log contradicts what it was before, or what a witness has cosigned",
        () -> log.damage().or(witnesses::contradiction).isPresent() ? 1 : 0);
    meters.gauge(
        "keywell.log.missing.entries",
        "Entries that this instance has committed and that the log lacks",
        log::missing);
    meters.gauge(
        "keywell.log.unsigned.entries", "Entries that no checkpoint has yet", log::unsigned);
    meters.gauge(
        "keywell.log.unwitnessed.entries",
        "Signed entries that not enough witnesses have cosigned",
        witnesses::waitingEntries);
    meters.gauge(
        "keywell.log.unwitnessed.seconds",
        "How long signed entries have been waiting for enough witnesses",
        () -> witnesses.waiting().toMillis() / 1e3);
  }
}
