package org.keywell.bench.tables.measure;

import java.util.ArrayList;
import java.util.List;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.KeyHandle;
import org.keywell.keypool.store.StoredKey;

/**
 * Table 2-7: a block of keys is claimed from the database, then unwrapped one by one until all are
 * live in the device. None signs, so they go back afterwards.
 */
final class LoadAndUnwrap implements Experiment {
  private final KeyStock stock;

  LoadAndUnwrap(KeyStock stock) {
    this.stock = stock;
  }

  @Override
  public List<Timed> run(ThesisRow row, Hsm hsm, int count, Meter meter) {
    long began = System.nanoTime();
    List<StoredKey> claimed = stock.claim(count);
    long loadNanos = System.nanoTime() - began;
    Timings unwrap = new Timings(count);
    List<KeyHandle> live = new ArrayList<>();
    try {
      for (StoredKey stored : claimed) {
        if (meter.stopped()) {
          break;
        }
        long beganUnwrap = System.nanoTime();
        live.add(hsm.unwrap(stored.key()));
        unwrap.add(System.nanoTime() - beganUnwrap);
        meter.advance();
      }
    } finally {
      live.forEach(key -> {
        var _ = hsm.destroy(key);
      });
    }
    stock.putBack(claimed);
    return figures(count, loadNanos, unwrap);
  }

  private static List<Timed> figures(int count, long loadNanos, Timings unwrap) {
    List<Timed> timed = new ArrayList<>();
    timed.add(new Timed(Quantity.LOAD, Figure.ofTogether(count, loadNanos)));
    timed.addAll(unwrap.as(Quantity.UNWRAP));
    if (unwrap.size() == count) {
      timed.add(
          new Timed(
              Quantity.LOAD_AND_UNWRAP, Figure.ofTogether(count, loadNanos + unwrap.totalNanos())));
    }
    return timed;
  }
}
