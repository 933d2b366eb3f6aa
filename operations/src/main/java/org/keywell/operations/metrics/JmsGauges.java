package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import org.keywell.operations.jms.JmsView;

/** Whether requests are taken from a broker. */
final class JmsGauges implements MeterBinder {

  private static final double NANOS_PER_SECOND = 1e9;

  private final JmsView view;

  JmsGauges(JmsView view) {
    this.view = view;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge(
        "keywell.jms.up",
        "Whether requests are taken from each queue of the broker",
        () -> view.outage().isEmpty() ? 1 : 0);
    meters.gauge(
        "keywell.jms.outage.seconds",
        "For how long they have not been",
        () -> view.outage().orElse(Duration.ZERO).toNanos() / NANOS_PER_SECOND);
    meters.gauge(
        "keywell.jms.consumers", "Consumers that take requests from the broker", view::consuming);
  }
}
