package org.keywell.bench.tables.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.store.StoredKey;

/**
 * Table 2-11: whole signings one after the other, while another thread unwraps keys without pause.
 * It unwraps the same few keys repeatedly; they never sign.
 */
final class OneThreadBesideUnwrapping implements Experiment {
  static final int KEYS_UNWRAPPED = 8;

  /** Further keys are unwrapped, but not timed. */
  private static final int MAX_TIMED = 100_000;

  private final KeyStock stock;
  private final OneThread signing;

  OneThreadBesideUnwrapping(KeyStock stock, OneThread signing) {
    this.stock = stock;
    this.signing = signing;
  }

  @Override
  public List<Timed> run(ThesisRow row, Hsm hsm, int count, Meter meter)
      throws InterruptedException {
    List<StoredKey> keys = stock.claim(KEYS_UNWRAPPED);
    Unwrapping unwrapping = new Unwrapping(hsm, keys);
    List<Timed> timed;
    List<Timed> unwrapped;
    try (ExecutorService beside = Executors.newSingleThreadExecutor()) {
      Future<Timings> timings = beside.submit(unwrapping::run);
      try {
        timed = new ArrayList<>(signing.run(row, hsm, count, meter));
      } finally {
        unwrapping.end();
      }
      unwrapped = Outcomes.of(timings).as(Quantity.UNWRAP_BESIDE);
    }
    stock.putBack(keys);
    if (!timed.isEmpty()) {
      timed.addAll(unwrapped);
    }
    return timed;
  }

  /** The other thread's work, until {@link #end}. */
  private static final class Unwrapping {
    private final Hsm hsm;
    private final List<StoredKey> keys;
    private volatile boolean ended;

    Unwrapping(Hsm hsm, List<StoredKey> keys) {
      this.hsm = hsm;
      this.keys = keys;
    }

    Timings run() {
      Timings timings = new Timings(MAX_TIMED);
      for (int i = 0; !ended; i = (i + 1) % keys.size()) {
        long began = System.nanoTime();
        var _ = hsm.destroy(hsm.unwrap(keys.get(i).key()));
        if (timings.size() < MAX_TIMED) {
          timings.add(System.nanoTime() - began);
        }
      }
      return timings;
    }

    void end() {
      ended = true;
    }
  }
}
