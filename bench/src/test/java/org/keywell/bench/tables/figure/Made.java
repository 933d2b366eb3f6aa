package org.keywell.bench.tables.figure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.keywell.bench.tables.figure.Measurement.Timed;

/** Measured tables that nobody measured, for tests: the thesis's rows with figures of choice. */
public final class Made {
  private final TableId table;
  private final List<List<Measurement>> rows = new ArrayList<>();

  private Made(TableId table) {
    this.table = table;
    ThesisTables.rows(table).forEach(_ -> rows.add(new ArrayList<>()));
  }

  public static Made table(TableId table) {
    return new Made(table);
  }

  /** Adds a column's figures to a row, counted from 0. */
  public Made with(int row, Column column, String device, Timed... figures) {
    rows.get(row)
        .add(new Measurement(column, device, figures[0].figure().count(), Arrays.asList(figures)));
    return this;
  }

  public MeasuredTable done() {
    List<ThesisRow> thesis = ThesisTables.rows(table);
    List<MeasuredRow> measured = new ArrayList<>();
    for (int i = 0; i < thesis.size(); i++) {
      measured.add(new MeasuredRow(thesis.get(i), List.copyOf(rows.get(i))));
    }
    return new MeasuredTable(table, measured);
  }

  /** A quantity whose single times are these, in milliseconds. */
  public static Timed singles(Quantity quantity, double... millis) {
    return new Timed(
        quantity,
        Figure.ofSingles(Arrays.stream(millis).mapToLong(m -> Math.round(m * 1e6)).toArray()));
  }

  /** A quantity that took so many milliseconds for all of them together. */
  public static Timed together(Quantity quantity, int count, double totalMillis) {
    return new Timed(quantity, Figure.ofTogether(count, Math.round(totalMillis * 1e6)));
  }
}
