package org.keywell.bench.tables;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.keywell.bench.rig.HsmSettings;
import org.keywell.bench.tables.TablesPlan.MakeKeys;
import org.keywell.bench.tables.TablesPlan.Measure;
import org.keywell.bench.tables.TablesPlan.Step;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Measurement;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisTables;
import org.keywell.bench.tables.measure.DeviceChoice;
import org.keywell.bench.tables.measure.ExperimentFailedException;
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
  private final TablesPlan plan;
  private final Map<ThesisRow, List<Measurement>> measured = new LinkedHashMap<>();

  /**
   * @param workFolder where the scratch database is created, on the disk to be measured
   */
  public Tables(
      Set<TableId> tables, Counts counts, DeviceChoice devices, HsmSettings hsm, Path workFolder) {
    this.plan = TablesPlan.of(tables, devices, counts);
    this.counts = counts;
    this.devices = devices;
    this.hsm = hsm;
    this.workFolder = workFolder;
    this.underway = new Underway(plan, System::nanoTime);
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
      Optional<String> failure = measure(bench);
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
          tables());
    }
  }

  private Workbench openWorkbench() throws IOException {
    try {
      return Workbench.open(hsm, devices, workFolder);
    } catch (HsmException | CaTokenException | StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Runs to the end, or until stopped.
   *
   * @return what failed, in one line; empty if nothing did
   */
  private Optional<String> measure(Workbench bench) throws InterruptedException {
    try {
      if (!underway.stopped()) {
        bench.warmUp();
      }
      for (int i = 0; i < plan.steps().size() && !underway.stopped(); i++) {
        underway.begin(i);
        take(plan.steps().get(i), bench);
        underway.end();
      }
      return Optional.empty();
    } catch (HsmException | StoreException | CaTokenException | ExperimentFailedException e) {
      return Optional.of(underway.where() + ": " + e.getMessage());
    }
  }

  private void take(Step step, Workbench bench) throws InterruptedException {
    switch (step) {
      case MakeKeys(int units) -> bench.fillStock(units, underway);
      case Measure measure -> {
        List<Timed> timed =
            bench.measure(measure.column(), measure.row(), measure.units(), underway);
        if (!timed.isEmpty()) {
          measured
              .computeIfAbsent(measure.row(), _ -> new ArrayList<>())
              .add(new Measurement(measure.column(), measure.device(), measure.units(), timed));
        }
      }
    }
  }

  /** Returns the tables with any measurement, rows in the thesis's order. */
  private List<MeasuredTable> tables() {
    List<MeasuredTable> tables = new ArrayList<>();
    for (TableId id : TableId.values()) {
      List<ThesisRow> rows = ThesisTables.rows(id);
      if (rows.stream().anyMatch(measured::containsKey)) {
        tables.add(
            new MeasuredTable(
                id,
                rows.stream()
                    .map(row -> new MeasuredRow(row, measured.getOrDefault(row, List.of())))
                    .toList()));
      }
    }
    return tables;
  }
}
