package org.keywell.bench.tables.measure;

import java.util.List;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.keypool.hsm.Hsm;

/**
 * Tables 2-8 and 2-9: whole signings one after the other, with keys that are already live in the
 * device.
 */
final class OneThread implements Experiment {
  /** Few enough to be live in any device at the same time. */
  private static final int BLOCK = 500;

  private final KeyStock stock;
  private final WholeSigning signing;

  OneThread(KeyStock stock, WholeSigning signing) {
    this.stock = stock;
    this.signing = signing;
  }

  @Override
  public List<Timed> run(ThesisRow row, Hsm hsm, int count, Meter meter) {
    Timings timings = new Timings(count);
    while (timings.size() < count && !meter.stopped()) {
      List<LoadedKey> block = stock.load(Math.min(BLOCK, count - timings.size()));
      for (LoadedKey key : block) {
        if (meter.stopped()) {
          break;
        }
        timings.add(signing.run(hsm, key));
        meter.advance();
      }
      stock.settle(block);
    }
    return timings.as(Quantity.SIGN);
  }
}
