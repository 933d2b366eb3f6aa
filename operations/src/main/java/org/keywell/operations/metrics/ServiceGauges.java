package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.keywell.operations.health.ReadinessPart;
import org.keywell.signing.database.DatabaseClock;
import org.keywell.signing.database.RecordMonths;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;

/** What runs, and whether it is ready. */
final class ServiceGauges implements MeterBinder {

  private static final double MILLIS_PER_SECOND = 1e3;

  private final String version;
  private final RecordMonths months;
  private final DatabaseClock clock;
  private final List<? extends ReadinessPart> parts;
  private final ApplicationAvailability availability;

  /**
   * @param version of this program
   */
  ServiceGauges(
      String version,
      RecordMonths months,
      DatabaseClock clock,
      List<? extends ReadinessPart> parts,
      ApplicationAvailability availability) {
    this.version = version;
    this.months = months;
    this.clock = clock;
    this.parts = parts;
    this.availability = availability;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge(
        "keywell.build.info",
        "What runs",
        () -> 1,
        "version",
        version,
        "java",
        Runtime.version().toString());
    meters.gauge(
        "keywell.record.months.ahead",
        "Coming months that have a partition for their records",
        months::ahead);
    meters.gauge(
        "keywell.database.clock.offset.seconds",
        "PostgreSQL's time minus this machine's",
        () ->
            clock.offset().map(offset -> offset.toMillis() / MILLIS_PER_SECOND).orElse(Double.NaN));
    bindReady(
        meters,
        "service",
        () -> availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC);
    parts.forEach(part -> bindReady(meters, part.name(), () -> part.state().isReady()));
  }

  private static void bindReady(Meters meters, String part, BooleanSupplier ready) {
    meters.gauge(
        "keywell.ready",
        "Whether the part lets the service be ready",
        () -> ready.getAsBoolean() ? 1 : 0,
        "part",
        part);
  }
}
