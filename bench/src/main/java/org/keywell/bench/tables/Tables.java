package org.keywell.bench.tables;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.measure.DeviceChoice;
import org.keywell.bench.tables.measure.HsmSettings;
import org.keywell.bench.tables.measure.Workbench;
import org.keywell.bench.tables.report.TablesDocument;
import org.keywell.ca.token.CaTokenException;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.store.StoreException;
import org.keywell.loadgen.report.RunEnvironment;

/**
 * One run: opens the HSM, measures the tables, cleans up and reports. An instance runs once; {@link
 * #stop} and {@link #progress} are for other threads.
 */
public final class Tables {
  private final Counts counts;
  private final DeviceChoice devices;
  private final HsmSettings hsm;
  private final Path workFolder;
  private final Underway underway;
  private final TablesRun run;

  /**
   * @param workFolder where the scratch database is created, on the disk to be measured
   */
  public Tables(
      Set<TableId> tables, Counts counts, DeviceChoice devices, HsmSettings hsm, Path workFolder) {
    TablesPlan plan = TablesPlan.of(tables, devices, counts);
    this.counts = counts;
    this.devices = devices;
    this.hsm = hsm;
    this.workFolder = workFolder;
    this.underway = new Underway(plan, System::nanoTime);
    this.run = new TablesRun(plan, underway);
  }

  /** Ends the run soon; what was measured by then is reported. */
  public void stop() {
    underway.stop();
  }

  /** Returns one line with the run's progress and remaining time. */
  public String progress() {
    return underway.line();
  }

  /**
   * Measures the tables.
   *
   * @param environment the process's variables
   * @throws IOException if the HSM cannot be opened, the database cannot be started, or its remains
   *     cannot be removed; the message says what is wrong
   */
  public TablesDocument run(Map<String, String> environment)
      throws IOException, InterruptedException {
    Instant startedAt = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    long began = System.nanoTime();
    RunEnvironment here = RunEnvironment.here(environment);
    try (Workbench bench = openWorkbench()) {
      Optional<String> failure = run.run(bench);
      KeyBalance keys = bench.settle();
      return new TablesDocument(
          TablesDocument.FORMAT,
          "tables",
          startedAt.toString(),
          (System.nanoTime() - began) / 1e9,
          underway.stopped(),
          failure.orElse(null),
          devices.simulatedProfile().orElse(null),
          devices.describeProfiles(),
          counts.words(),
          here,
          bench.describeHsm(),
          bench.describeDatabase(),
          keys,
          run.tables());
    }
  }

  private Workbench openWorkbench() throws IOException {
    try {
      return Workbench.open(hsm, devices, workFolder);
    } catch (HsmException | CaTokenException | StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
