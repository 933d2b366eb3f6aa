package org.keywell.bench.tables.report;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow.Kind;

/** Rows of a table that differ only in how often they were measured. */
record RowsAlike(List<MeasuredRow> rows) {

  static RowsAlike of(MeasuredTable table, Kind kind) {
    return new RowsAlike(table.rows().stream().filter(row -> row.thesis().kind() == kind).toList());
  }

  private List<Figure> figures(Column column, Quantity quantity) {
    return rows.stream().flatMap(row -> row.figure(column, quantity).stream()).toList();
  }

  int count(Column column, Quantity quantity) {
    return figures(column, quantity).stream().mapToInt(Figure::count).sum();
  }

  /** Returns the median of the rows' typical times; a row counts as often as it was timed. */
  double median(Column column, Quantity quantity) {
    int left = (count(column, quantity) + 1) / 2;
    for (Figure figure :
        figures(column, quantity).stream()
            .sorted(Comparator.comparingDouble(Figure::typicalMillis))
            .toList()) {
      left -= figure.count();
      if (left <= 0) {
        return figure.typicalMillis();
      }
    }
    throw new IllegalArgumentException("nothing was timed");
  }

  /** Returns the least and the greatest time that the thesis prints; a dash if it prints none. */
  String range(Quantity quantity) {
    List<Double> times =
        rows.stream().flatMap(row -> row.thesis().millis(quantity).stream()).sorted().toList();
    return times.isEmpty()
        ? "–"
        : Stream.of(times.getFirst(), times.getLast())
            .map(Millis::text)
            .distinct()
            .collect(Collectors.joining("–"));
  }
}
