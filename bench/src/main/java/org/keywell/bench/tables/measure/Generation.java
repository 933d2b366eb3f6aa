package org.keywell.bench.tables.measure;

import java.util.List;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.keypool.hsm.Hsm;
import org.keywell.keypool.hsm.LiveKeyPair;

/** Table 2-4: generates key pairs, one after the other. */
final class Generation implements Experiment {

  @Override
  public List<Timed> run(ThesisRow row, Hsm hsm, int count, Meter meter) {
    Timings timings = new Timings(count);
    while (timings.size() < count && !meter.stopped()) {
      long began = System.nanoTime();
      LiveKeyPair pair = hsm.generateExtractable(KeyStock.SPEC);
      timings.add(System.nanoTime() - began);
      var _ = hsm.destroy(pair.privateKey());
      meter.advance();
    }
    return timings.as(Quantity.GENERATE);
  }
}
