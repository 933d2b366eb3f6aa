package org.keywell.bench.tables.measure;

import java.util.ArrayList;
import java.util.List;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.LiveKeyPair;
import org.keywell.keypool.store.WrappedKeyStore;

/**
 * Table 2-5: key pairs are generated, wrapped and saved, one after the other. The thesis saved to a
 * file; the pool saves to its database, where the keys stay for the tables that sign.
 */
final class WrapAndSave implements Experiment {
  private final WrappedKeyStore store;

  WrapAndSave(WrappedKeyStore store) {
    this.store = store;
  }

  @Override
  public List<Timed> run(ThesisRow row, Hsm hsm, int count, Meter meter) {
    Timings generate = new Timings(count);
    Timings wrapAndSave = new Timings(count);
    Timings all = new Timings(count);
    while (all.size() < count && !meter.stopped()) {
      long began = System.nanoTime();
      LiveKeyPair pair = hsm.generateExtractable(KeyStock.SPEC);
      long generated = System.nanoTime();
      var _ = store.add(KeyStock.wrapped(hsm, pair));
      long saved = System.nanoTime();
      generate.add(generated - began);
      wrapAndSave.add(saved - generated);
      all.add(saved - began);
      meter.advance();
    }
    List<Timed> timed = new ArrayList<>(generate.as(Quantity.GENERATE));
    timed.addAll(wrapAndSave.as(Quantity.WRAP_AND_SAVE));
    timed.addAll(all.as(Quantity.GENERATE_WRAP_SAVE));
    return timed;
  }
}
