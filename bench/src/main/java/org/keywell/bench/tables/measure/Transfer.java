package org.keywell.bench.tables.measure;

import java.util.List;
import java.util.function.Supplier;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisRow.Kind;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.WrappedKey;
import org.keywell.keypool.store.StoredKey;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * Table 2-6: blocks of wrapped keys written to the database, one durable transaction per key as in
 * the pool's generator, and claimed from it, one durable transaction per block. No device is used.
 */
final class Transfer implements Experiment {
  private final WrappedKeyStore store;
  private final Supplier<StandInKeys> standIns;

  /**
   * @param store sees stand-ins only
   * @param standIns created on first use, which takes a key
   */
  Transfer(WrappedKeyStore store, Supplier<StandInKeys> standIns) {
    this.store = store;
    this.standIns = standIns;
  }

  @Override
  public List<Timed> run(ThesisRow row, Hsm hsm, int count, Meter meter) {
    return row.kind() == Kind.WRITE ? write(count, meter) : load(count, meter);
  }

  private List<Timed> write(int count, Meter meter) {
    Timings timings = new Timings(count);
    for (WrappedKey key : standIns.get().next(count)) {
      if (meter.stopped()) {
        break;
      }
      long began = System.nanoTime();
      var _ = store.add(key);
      timings.add(System.nanoTime() - began);
      meter.advance();
    }
    return timings.as(Quantity.WRITE);
  }

  private List<Timed> load(int count, Meter meter) {
    if (store.count(KeyStock.SPEC) < count) {
      standIns.get().next(count).forEach(store::add);
    }
    if (meter.stopped()) {
      return List.of();
    }
    long began = System.nanoTime();
    List<StoredKey> claimed = store.claim(KeyStock.SPEC, count);
    long took = System.nanoTime() - began;
    store.discard(claimed.stream().map(StoredKey::id).toList());
    for (int i = 0; i < claimed.size(); i++) {
      meter.advance();
    }
    if (claimed.size() < count) {
      throw new ExperimentFailedException(
          "the database gave %d of %d keys".formatted(claimed.size(), count));
    }
    return List.of(new Timed(Quantity.LOAD, Figure.ofTogether(count, took)));
  }
}
