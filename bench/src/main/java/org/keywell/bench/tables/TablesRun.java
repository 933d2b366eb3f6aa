package org.keywell.bench.tables;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.keywell.bench.tables.TablesPlan.MakeKeys;
import org.keywell.bench.tables.TablesPlan.Measure;
import org.keywell.bench.tables.TablesPlan.Step;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Measurement;
import org.keywell.bench.tables.figure.Measurement.Timed;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisTables;
import org.keywell.bench.tables.measure.ExperimentFailedException;
import org.keywell.bench.tables.measure.Workbench;
import org.keywell.ca.token.CaTokenException;
import org.keywell.keypool.hsm.HsmException;
import org.keywell.keypool.store.StoreException;

/** Runs a plan's steps one after the other, and keeps their results, however it ends. */
final class TablesRun {
  private final TablesPlan plan;
  private final Underway underway;
  private final Map<ThesisRow, List<Measurement>> measured = new LinkedHashMap<>();

  TablesRun(TablesPlan plan, Underway underway) {
    this.plan = plan;
    this.underway = underway;
  }

  /**
   * Runs to the end, or until stopped.
   *
   * @return what failed, in one line; empty if nothing did
   */
  Optional<String> run(Workbench bench) throws InterruptedException {
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
  List<MeasuredTable> tables() {
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
