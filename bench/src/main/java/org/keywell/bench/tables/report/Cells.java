package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Measurement;
import org.keywell.bench.tables.figure.Printed;
import org.keywell.bench.tables.figure.Quantity;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow.Kind;

/** The cells of a table: the thesis first, then each column. */
final class Cells {
  private static final List<String> NONE = List.of("", "–", "", "", "");

  /** Kinds of rows that differ only in how often they were measured. */
  private static final Map<Kind, String> ALIKE =
      new EnumMap<>(
          Map.of(
              Kind.PLAIN, "all rows",
              Kind.REMOTE, "all rows, Stockholm",
              Kind.NEAR, "all rows, Malmö"));

  private Cells() {}

  static List<String> heads(MeasuredTable table) {
    List<String> heads = new ArrayList<>(List.of("row", "ms a key or request", "thesis"));
    for (Column column : table.columns()) {
      heads.addAll(List.of("n", column.toString(), "min", "p50", "max"));
    }
    return heads;
  }

  /** Returns the profiles of the simulated columns; empty if there are none. */
  static String devices(MeasuredTable table) {
    return table.columns().stream()
        .filter(Column::simulated)
        .map(column ->
            column.toString()
                + ": "
                + table.rows().stream()
                    .flatMap(row -> row.in(column).stream())
                    .map(Measurement::device)
                    .distinct()
                    .collect(Collectors.joining(", ")))
        .collect(Collectors.joining("; "));
  }

  /** Returns a line for each quantity of each row, then one for each quantity of rows alike. */
  static List<List<String>> lines(MeasuredTable table) {
    List<List<String>> lines = new ArrayList<>();
    for (MeasuredRow row : table.rows()) {
      String name = row.thesis().name();
      for (Quantity quantity : table.quantities()) {
        if (row.has(quantity)) {
          lines.add(line(table, row, quantity, name));
          name = "";
        }
      }
    }
    if (table.id() != TableId.THREADS) {
      ALIKE.forEach((kind, name) -> lines.addAll(totals(table, kind, name)));
    }
    return lines;
  }

  private static List<List<String>> totals(MeasuredTable table, Kind kind, String ofAll) {
    RowsAlike rows = RowsAlike.of(table, kind);
    List<List<String>> lines = new ArrayList<>();
    for (Quantity quantity : table.quantities()) {
      if (table.columns().stream().anyMatch(column -> rows.count(column, quantity) > 0)) {
        List<String> cells =
            new ArrayList<>(
                List.of(lines.isEmpty() ? ofAll : "", quantity.toString(), rows.range(quantity)));
        for (Column column : table.columns()) {
          int count = rows.count(column, quantity);
          cells.addAll(
              count == 0
                  ? NONE
                  : List.of(
                      "%,d".formatted(count),
                      "",
                      "",
                      Millis.text(rows.median(column, quantity)),
                      ""));
        }
        lines.add(cells);
      }
    }
    return lines;
  }

  private static List<String> line(
      MeasuredTable table, MeasuredRow row, Quantity quantity, String name) {
    Optional<Printed> printed = row.thesis().printed(quantity);
    List<String> cells =
        new ArrayList<>(List.of(name, quantity.toString(), printed.map(Millis::text).orElse("–")));
    for (Column column : table.columns()) {
      cells.addAll(cells(row.figure(column, quantity).orElse(null)));
    }
    return cells;
  }

  private static List<String> cells(@Nullable Figure figure) {
    if (figure == null) {
      return NONE;
    }
    Figure.Spread spread = figure.spread();
    String count = "%,d".formatted(figure.count());
    String mean = Millis.text(figure.meanMillis());
    return spread == null
        ? List.of(count, mean, "", "", "")
        : List.of(
            count,
            mean,
            Millis.text(spread.min()),
            Millis.text(spread.p50()),
            Millis.text(spread.max()));
  }
}
