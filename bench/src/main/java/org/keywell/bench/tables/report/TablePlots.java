package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Printed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisRow.Kind;
import org.keywell.loadgen.report.Plot;
import org.keywell.loadgen.report.Plot.Line;

/** The plots of Tables 2-6 and 2-10. */
final class TablePlots {
  private static final List<Integer> SOLID = List.of();
  private static final List<Integer> LONG_DASHES = List.of(6, 4);
  private static final List<Integer> SHORT_DASHES = List.of(4, 4);

  private TablePlots() {}

  static @Nullable Plot of(MeasuredTable table) {
    return switch (table.id()) {
      case TRANSFER -> transfer(table);
      case THREADS -> threads(table);
      case GENERATION, WRAP_AND_SAVE, LOAD_AND_UNWRAP, WHOLE_SIGNING, SIGNING_WHILE_UNWRAPPING ->
          null;
    };
  }

  private static Plot transfer(MeasuredTable table) {
    List<MeasuredRow> load = RowsAlike.of(table, Kind.LOAD).rows();
    List<MeasuredRow> write = RowsAlike.of(table, Kind.WRITE).rows();
    return new Plot(
        "ms a key",
        load.stream().map(row -> "%,d".formatted(row.thesis().count())).toList(),
        List.of(
            line("loaded, here", "blue", SOLID, load, mean(Column.NATIVE, Quantity.LOAD)),
            line("loaded, in the thesis", "grey", LONG_DASHES, load, TablePlots::fromTotal),
            line("written, here", "orange", SOLID, write, mean(Column.NATIVE, Quantity.WRITE)),
            line("written, in the thesis", "purple", SHORT_DASHES, write, TablePlots::fromTotal)),
        Plot.Form.LINES);
  }

  /** The time per request, and the slowest single one, against the number of threads. */
  private static Plot threads(MeasuredTable table) {
    List<MeasuredRow> rows = table.rows();
    List<Line> lines =
        new ArrayList<>(
            pair(
                "thesis",
                "grey",
                rows,
                row -> row.thesis().millis(Quantity.THROUGHPUT),
                row -> row.thesis().printed(Quantity.SINGLE).map(Printed::toMillis)));
    for (Column column : table.columns()) {
      lines.addAll(
          pair(
              column.toString(),
              colour(column),
              rows,
              mean(column, Quantity.THROUGHPUT),
              row ->
                  row.figure(column, Quantity.SINGLE).map(Figure::spread).map(Figure.Spread::max)));
    }
    return new Plot(
        "milliseconds",
        rows.stream().map(row -> Integer.toString(row.thesis().threads())).toList(),
        lines,
        Plot.Form.LINES);
  }

  private static String colour(Column column) {
    return switch (column) {
      case NATIVE -> "blue";
      case SIMULATED -> "orange";
      case SIMULATED_LANES -> "green";
    };
  }

  private static List<Line> pair(
      String who,
      String colour,
      List<MeasuredRow> rows,
      Function<MeasuredRow, Optional<Double>> mean,
      Function<MeasuredRow, Optional<Double>> most) {
    return List.of(
        line(who + ", time per request", colour, SOLID, rows, mean),
        line(who + ", slowest single request", colour, SHORT_DASHES, rows, most));
  }

  private static Line line(
      String label,
      String colour,
      List<Integer> dash,
      List<MeasuredRow> rows,
      Function<MeasuredRow, Optional<Double>> millis) {
    List<@Nullable Double> points = new ArrayList<>();
    rows.forEach(row -> points.add(millis.apply(row).orElse(null)));
    return new Line(label, colour, dash, points);
  }

  private static Function<MeasuredRow, Optional<Double>> mean(Column column, Quantity quantity) {
    return row -> row.figure(column, quantity).map(Figure::meanMillis);
  }

  /** The printed total divided by the printed count: a printed time per key may be wrong. */
  private static Optional<Double> fromTotal(MeasuredRow row) {
    ThesisRow thesis = row.thesis();
    return thesis.totalMillis() == null || thesis.count() == null
        ? Optional.empty()
        : Optional.of(thesis.totalMillis() / thesis.count());
  }
}
