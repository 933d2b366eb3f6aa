package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Measurement;
import org.keywell.bench.tables.figure.Printed;
import org.keywell.bench.tables.figure.Quantity;

/** A table as CSV: a line per quantity, row and column; unknown values are empty. */
final class TableCsv {
  static final String HEADER =
      "row,quantity,thesis_from_ms,thesis_to_ms,"
          + "column,device,planned,count,total_ms,mean_ms,min_ms,p50_ms,max_ms";

  private TableCsv() {}

  static String of(MeasuredTable table) {
    List<String> lines = new ArrayList<>(List.of(HEADER));
    for (MeasuredRow row : table.rows()) {
      for (Quantity quantity : table.quantities()) {
        Printed printed = row.thesis().printed(quantity).orElse(null);
        List<Measurement> measured =
            row.measurements().stream().filter(m -> m.figure(quantity).isPresent()).toList();
        measured.forEach(m -> lines.add(line(row, quantity, printed, m)));
        if (measured.isEmpty() && printed != null) {
          lines.add(line(row, quantity, printed, null));
        }
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private static String line(
      MeasuredRow row,
      Quantity quantity,
      @Nullable Printed printed,
      @Nullable Measurement measured) {
    Figure figure = measured == null ? null : measured.figure(quantity).orElseThrow();
    Figure.Spread spread = figure == null ? null : figure.spread();
    return Stream.of(
            quoted(row.thesis().name()),
            quoted(quantity.toString()),
            number(printed == null ? null : printed.fromMillis()),
            number(printed == null ? null : printed.toMillis()),
            measured == null ? "" : quoted(measured.column().toString()),
            measured == null ? "" : measured.device(),
            measured == null ? "" : Integer.toString(measured.planned()),
            figure == null ? "" : Integer.toString(figure.count()),
            number(figure == null ? null : figure.totalMillis()),
            number(figure == null ? null : figure.meanMillis()),
            number(spread == null ? null : spread.min()),
            number(spread == null ? null : spread.p50()),
            number(spread == null ? null : spread.max()))
        .collect(Collectors.joining(","));
  }

  private static String number(@Nullable Double millis) {
    return millis == null ? "" : String.format(Locale.ROOT, "%.6f", millis);
  }

  private static String quoted(String text) {
    return text.contains(",") ? "\"" + text + "\"" : text;
  }
}
