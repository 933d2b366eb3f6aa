package org.keywell.bench.tables.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.Figure;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.Measurement;
import org.keywell.bench.tables.figure.Printed;
import org.keywell.bench.tables.figure.Quantity;

/** What Table 2-10 says: throughput against threads, and what it costs the single request. */
record ThreadsSentence(MeasuredTable table) {

  /** Below this, threads gave nothing that is worth a word. */
  private static final double GAIN = 1.5;

  String text() {
    if (measuredRows().size() < 2) {
      return "With one number of threads measured, there is nothing to compare.";
    }
    List<String> words = new ArrayList<>();
    for (Column column : table.columns()) {
      words.add(measured(column));
    }
    words.add(printed());
    return "From %s to %s, the time per request goes %s.%s"
        .formatted(
            firstRow().thesis().name(),
            lastRow().thesis().name(),
            String.join("; ", words),
            conclusion());
  }

  /** A run that was ended early has not all of them. */
  private List<MeasuredRow> measuredRows() {
    return table.rows().stream().filter(row -> !row.measurements().isEmpty()).toList();
  }

  private MeasuredRow firstRow() {
    return measuredRows().getFirst();
  }

  private MeasuredRow lastRow() {
    return measuredRows().getLast();
  }

  private String measured(Column column) {
    return "from %s to %s %s (the slowest single request: from %s to %s)"
        .formatted(
            mean(firstRow(), column),
            mean(lastRow(), column),
            Phrases.where(column),
            slowest(firstRow(), column),
            slowest(lastRow(), column));
  }

  private static String mean(MeasuredRow row, Column column) {
    return Phrases.millis(throughput(row, column));
  }

  private static OptionalDouble throughput(MeasuredRow row, Column column) {
    return row.figure(column, Quantity.THROUGHPUT).stream()
        .mapToDouble(Figure::meanMillis)
        .findFirst();
  }

  private static String slowest(MeasuredRow row, Column column) {
    return row.figure(column, Quantity.SINGLE)
        .map(Figure::spread)
        .map(spread -> Millis.text(spread.max()) + " ms")
        .orElse("–");
  }

  private String printed() {
    return "from %s ms to %s ms in the thesis (the slowest single request: from %s ms to %s ms)"
        .formatted(
            Millis.text(printedMillis(firstRow())),
            Millis.text(printedMillis(lastRow())),
            printedSlowest(firstRow()),
            printedSlowest(lastRow()));
  }

  private static double printedMillis(MeasuredRow row) {
    return row.thesis().millis(Quantity.THROUGHPUT).orElse(Double.NaN);
  }

  private static String printedSlowest(MeasuredRow row) {
    return row.thesis()
        .printed(Quantity.SINGLE)
        .map(Printed::toMillis)
        .map(Millis::text)
        .orElse("–");
  }

  /** One operation at a time cannot give what the thesis saw; several at a time can. */
  private String conclusion() {
    double inThesis = printedMillis(firstRow()) / printedMillis(lastRow());
    double oneByOne = gain(Column.SIMULATED);
    if (!(inThesis >= GAIN && oneByOne < GAIN)) {
      return "";
    }
    String words =
        String.format(
            Locale.ROOT,
            " Threads gave the thesis a factor of %.1f, and %s a factor of %.2f: the thesis's device"
                + " worked on several requests at the same time, or waits for the network"
                + " overlapped.",
            inThesis,
            device(Column.SIMULATED),
            oneByOne);
    double withLanes = gain(Column.SIMULATED_LANES);
    return Double.isNaN(withLanes)
        ? words
        : words
            + String.format(
                Locale.ROOT,
                " On %s the factor is %.1f.",
                device(Column.SIMULATED_LANES),
                withLanes);
  }

  private String device(Column column) {
    return firstRow().in(column).map(Measurement::device).orElse("–");
  }

  private double gain(Column column) {
    return throughput(firstRow(), column).orElse(Double.NaN)
        / throughput(lastRow(), column).orElse(Double.NaN);
  }
}
