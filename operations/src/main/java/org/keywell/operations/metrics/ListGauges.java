package org.keywell.operations.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.keywell.signing.revocation.ListPublisher;

/** Whether lists of revoked certificates are made in time. */
final class ListGauges implements MeterBinder {

  private final ListPublisher lists;

  ListGauges(ListPublisher lists) {
    this.lists = lists;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    meters.gauge(
        "keywell.crl.unsigned.lists",
        "Lists of revoked certificates that are due and could not be signed",
        lists::unsigned);
    meters.gauge(
        "keywell.crl.next.update.timestamp.seconds",
        "When the first of this instance's lists of revoked certificates is out of date",
        () -> lists.nextUpdate().map(at -> (double) at.getEpochSecond()).orElse(Double.NaN));
  }
}
