package org.keywell.bench.tables.measure;

import java.util.List;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.keypool.hsm.Hsm;

/** How the rows of one table are measured. */
interface Experiment {

  /**
   * Measures a row on one device. Whatever it makes in the device it destroys.
   *
   * @param count keys or requests to time, at least 1
   * @return what was timed; nothing if the meter stopped it before the first
   * @throws org.keywell.keypool.hsm.HsmException if the device fails
   * @throws org.keywell.keypool.store.StoreException if the database fails
   * @throws ExperimentFailedException if something was wrong with what came of it
   */
  List<Timed> run(ThesisRow row, Hsm hsm, int count, Meter meter) throws InterruptedException;
}
