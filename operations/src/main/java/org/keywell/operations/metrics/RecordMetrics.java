package org.keywell.operations.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import org.keywell.signing.record.RecordListener;

/** The transactions that write receipts and outcomes. */
final class RecordMetrics implements RecordListener {

  private static final double[] ENTRIES = {1, 2, 4, 8, 16, 32, 64, 128, 256};

  private final Timer committed;
  private final Timer failed;
  private final DistributionSummary entries;

  RecordMetrics(MeterRegistry registry) {
    Meters meters = new Meters(registry);
    this.committed = timer(meters, "committed");
    this.failed = timer(meters, "failed");
    this.entries =
        DistributionSummary.builder("keywell.record.batch.entries")
            .description("Receipts and outcomes in a transaction that was committed")
            .serviceLevelObjectives(ENTRIES)
            .register(registry);
  }

  private static Timer timer(Meters meters, String outcome) {
    return meters.timer(
        "keywell.record.batch",
        "Transactions that write receipts and outcomes",
        "outcome",
        outcome);
  }

  @Override
  public void committed(int entries, long nanos) {
    committed.record(nanos, TimeUnit.NANOSECONDS);
    this.entries.record(entries);
  }

  @Override
  public void failed(int entries, long nanos) {
    failed.record(nanos, TimeUnit.NANOSECONDS);
  }
}
