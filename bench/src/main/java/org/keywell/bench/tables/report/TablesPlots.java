package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Printed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.ThesisRow.Kind;
import org.keywell.loadgen.plot.Plot;
import org.keywell.loadgen.plot.Scale;

/** The tables that one would rather look at than read. */
final class TablesPlots {
  private static final int WIDTH = 1100;
  private static final int HEIGHT = 340;
  private static final double SHORTEST_MILLIS = 0.1;

  /** The thesis's own style, and one for each column. */
  private static final String THESIS = "due";

  private static final Map<Column, String> STYLES =
      Map.of(Column.NATIVE, "a", Column.SIMULATED, "c", Column.SIMULATED_LANES, "b");

  private TablesPlots() {}

  static String style(Column column) {
    return STYLES.getOrDefault(column, "a");
  }

  /** Table 2-6: the time a key against the size of its block. */
  static String transfer(MeasuredTable table) {
    List<Plot.Point> loaded = measuredBlocks(table, Kind.LOAD, Quantity.LOAD);
    List<Plot.Point> written = measuredBlocks(table, Kind.WRITE, Quantity.WRITE);
    List<Plot.Point> printedLoad = printedBlocks(table, Kind.LOAD);
    List<Plot.Point> printedWrite = printedBlocks(table, Kind.WRITE);
    List<Plot.Point> all =
        Stream.of(loaded, written, printedLoad, printedWrite).flatMap(List::stream).toList();
    double least = all.stream().mapToDouble(Plot.Point::y).min().orElse(1);
    double greatest = all.stream().mapToDouble(Plot.Point::y).max().orElse(1);
    double smallest = all.stream().mapToDouble(Plot.Point::x).min().orElse(1);
    double largest = all.stream().mapToDouble(Plot.Point::x).max().orElse(1);
    return new Plot(
            WIDTH,
            HEIGHT,
            // Room for the last tick's name.
            new Scale.Logarithmic(decadeBelow(smallest), largest * 1.2),
            Scale.Logarithmic.over(least, greatest))
        .verticalAxis("ms a key")
        .horizontalAxis("keys in a block")
        .series(THESIS, printedLoad, true)
        .series("d", printedWrite, true)
        .series("a", loaded, true)
        .series("c", written, true)
        .svg(
            "transfer",
            "Time a key against the size of its block, on logarithmic scales",
            "Loaded and written, here and in the thesis.");
  }

  private static double decadeBelow(double count) {
    return Math.pow(10, Math.floor(Math.log10(count)));
  }

  private static List<Plot.Point> measuredBlocks(
      MeasuredTable table, Kind kind, Quantity quantity) {
    List<Plot.Point> points = new ArrayList<>();
    for (MeasuredRow row : table.rows()) {
      Optional<Figure> figure = row.figure(Column.NATIVE, quantity);
      if (row.thesis().kind() == kind && figure.isPresent()) {
        points.add(
            point(figure.get().count(), figure.get().meanMillis(), row.thesis().name() + ", here"));
      }
    }
    return points;
  }

  private static List<Plot.Point> printedBlocks(MeasuredTable table, Kind kind) {
    List<Plot.Point> points = new ArrayList<>();
    for (MeasuredRow row : table.rows()) {
      Optional<Double> millis = Slips.fromTotal(row.thesis());
      Integer count = row.thesis().count();
      if (row.thesis().kind() == kind && millis.isPresent() && count != null) {
        points.add(point(count, millis.get(), row.thesis().name() + ", in the thesis"));
      }
    }
    return points;
  }

  private static Plot.Point point(double x, double millis, String what) {
    return new Plot.Point(x, millis, what + ": " + Millis.text(millis) + " ms");
  }

  /** Table 2-10: bars from the fastest to the slowest request, and a line through the means. */
  static String threads(MeasuredTable table) {
    double slowest = table.rows().stream().flatMapToDouble(TablesPlots::slowest).max().orElse(1);
    double fastest = table.rows().stream().flatMapToDouble(TablesPlots::fastest).min().orElse(1);
    Scale up = Scale.Logarithmic.over(Math.max(SHORTEST_MILLIS, fastest), slowest);
    Plot plot =
        new Plot(WIDTH, HEIGHT + 60, new Scale.Linear(-0.5, table.rows().size() - 0.5), up)
            .verticalAxis("milliseconds")
            .horizontalAxis(
                "threads that sign",
                table.rows().stream()
                    .map(row -> Integer.toString(row.thesis().threads()))
                    .toList());
    List<@Nullable Column> shown = new ArrayList<>();
    shown.add(null);
    shown.addAll(table.columns());
    double breadth = 0.7 / shown.size();
    for (int i = 0; i < shown.size(); i++) {
      double offset = (i - (shown.size() - 1) / 2.0) * breadth;
      draw(plot, table, shown.get(i), offset, breadth * 0.8);
    }
    return plot.svg(
        "threads",
        "Time a request against the number of threads, on a logarithmic scale",
        "Bars from the fastest to the slowest single request; dots for all requests' time divided by"
            + " their number.");
  }

  private static void draw(
      Plot plot, MeasuredTable table, @Nullable Column column, double offset, double breadth) {
    String style = column == null ? THESIS : style(column);
    String who = column == null ? "thesis" : column.label();
    List<Plot.Point> means = new ArrayList<>();
    for (int i = 0; i < table.rows().size(); i++) {
      MeasuredRow row = table.rows().get(i);
      double from = column == null ? printed(row, true) : fastest(row, column);
      double to = column == null ? printed(row, false) : slowest(row, column);
      double mean = mean(row, column);
      String name = who + ", " + row.thesis().name();
      if (!Double.isNaN(to)) {
        plot.bar(
            style,
            i + offset,
            breadth,
            from,
            to,
            "%s: single requests %s to %s ms".formatted(name, Millis.text(from), Millis.text(to)));
      }
      means.add(point(i + offset, mean, name + ", time per request"));
    }
    plot.series(style, means, true);
  }

  private static double mean(MeasuredRow row, @Nullable Column column) {
    return column == null
        ? row.thesis().millis(Quantity.THROUGHPUT).orElse(Double.NaN)
        : row.figure(column, Quantity.THROUGHPUT).map(Figure::meanMillis).orElse(Double.NaN);
  }

  private static double printed(MeasuredRow row, boolean fastest) {
    return row.thesis()
        .printed(Quantity.SINGLE)
        .map(fastest ? Printed::fromMillis : Printed::toMillis)
        .orElse(Double.NaN);
  }

  private static double fastest(MeasuredRow row, Column column) {
    return row.figure(column, Quantity.SINGLE)
        .map(Figure::spread)
        .map(Figure.Spread::min)
        .orElse(Double.NaN);
  }

  private static double slowest(MeasuredRow row, Column column) {
    return row.figure(column, Quantity.SINGLE)
        .map(Figure::spread)
        .map(Figure.Spread::max)
        .orElse(Double.NaN);
  }

  private static DoubleStream slowest(MeasuredRow row) {
    return DoubleStream.concat(
            DoubleStream.of(printed(row, false)),
            row.measurements().stream().mapToDouble(m -> slowest(row, m.column())))
        .filter(millis -> !Double.isNaN(millis));
  }

  private static DoubleStream fastest(MeasuredRow row) {
    return row.measurements().stream()
        .mapToDouble(m -> Math.min(fastest(row, m.column()), mean(row, m.column())))
        .filter(millis -> !Double.isNaN(millis));
  }
}
