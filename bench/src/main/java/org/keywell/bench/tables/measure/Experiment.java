package org.keywell.bench.tables.measure;

import java.util.List;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.keypool.hsm.Hsm;

/** Measures the rows of one table. */
interface Experiment {

  /**
   * Measures a row on one device. Destroys the keys it uses there, except those left by a stop.
   *
   * @param count keys or requests to time, at least 1
   * @return what was timed; nothing if the meter stopped it before the first
   * @throws org.keywell.keypool.hsm.HsmException if the device fails
   * @throws org.keywell.keypool.store.StoreException if the database fails
   * @throws ExperimentFailedException if a result must not be counted
   */
  List<Timed> run(ThesisRow row, Hsm hsm, int count, Meter meter) throws InterruptedException;
}
