package org.keywell.bench.tables;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisRow.Kind;
import org.keywell.bench.tables.figure.ThesisTables;
import org.keywell.bench.tables.measure.DeviceChoice;
import org.keywell.bench.tables.measure.Workbench;

/** The steps of a run. */
record TablesPlan(List<Step> steps) {
  private static final double MILLIS_TO_MAKE_A_KEY = 100;

  sealed interface Step {
    /** Returns how many keys or requests it takes. */
    int units();

    /** Returns the expected milliseconds for one of them, before any was measured. */
    double expectedMillis();

    /** Names the step's group; steps of one group take about as long per unit. */
    String group();

    /** Describes the step for people. */
    String words();
  }

  /** Generates keys for the tables that follow. */
  record MakeKeys(int units) implements Step {
    @Override
    public double expectedMillis() {
      return MILLIS_TO_MAKE_A_KEY / Runtime.getRuntime().availableProcessors();
    }

    @Override
    public String group() {
      return "keys";
    }

    @Override
    public String words() {
      return "making keys for the tables that sign";
    }
  }

  /** Measures one row on one device. */
  record Measure(ThesisRow row, Column column, String device, int units, double expectedMillis)
      implements Step {
    @Override
    public String group() {
      return row.table() + row.kind().name() + row.threads() + device;
    }

    @Override
    public String words() {
      return "Table %s, %s, %s".formatted(row.table(), row.name(), device);
    }
  }

  static TablesPlan of(Collection<TableId> tables, DeviceChoice devices, Counts counts) {
    List<Measure> measures = new ArrayList<>();
    for (TableId table : TableId.values()) {
      for (Column column : Column.values()) {
        for (ThesisRow row : inOrderOfWork(ThesisTables.rows(table))) {
          if (tables.contains(table) && devices.covers(column, row)) {
            measures.add(
                new Measure(
                    row,
                    column,
                    devices.name(column, row),
                    counts.of(row, column),
                    devices.expectedMillis(column, row)));
          }
        }
      }
    }
    return new TablesPlan(withKeys(measures));
  }

  /** Keys must be written before they can be loaded. */
  private static List<ThesisRow> inOrderOfWork(List<ThesisRow> rows) {
    return rows.stream().sorted(Comparator.comparing(row -> row.kind() == Kind.LOAD)).toList();
  }

  /** The keys are generated right before the first row that needs some. */
  private static List<Step> withKeys(List<Measure> measures) {
    int needed =
        measures.stream().filter(TablesPlan::signs).mapToInt(Measure::units).sum()
            + measures.stream()
                .mapToInt(m -> Workbench.borrowed(m.row(), m.units()))
                .max()
                .orElse(0);
    List<Step> steps = new ArrayList<>(measures);
    for (int i = 0; i < measures.size() && needed > 0; i++) {
      Measure measure = measures.get(i);
      if (signs(measure) || Workbench.borrowed(measure.row(), measure.units()) > 0) {
        steps.add(i, new MakeKeys(needed));
        break;
      }
    }
    return List.copyOf(steps);
  }

  private static boolean signs(Measure measure) {
    return switch (measure.row().table()) {
      case WHOLE_SIGNING, THREADS, SIGNING_WHILE_UNWRAPPING -> true;
      case GENERATION, WRAP_AND_SAVE, TRANSFER, LOAD_AND_UNWRAP -> false;
    };
  }
}
