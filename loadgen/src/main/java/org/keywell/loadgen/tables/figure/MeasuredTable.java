package org.keywell.loadgen.tables.figure;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** A table of the thesis with what was measured here, rows in the thesis's order. */
public record MeasuredTable(TableId id, List<MeasuredRow> rows) {

  /** The columns in which anything was measured, in their own order. */
  public List<Column> columns() {
    return Arrays.stream(Column.values())
        .filter(column -> rows.stream().anyMatch(row -> row.in(column).isPresent()))
        .toList();
  }

  /** The quantities that the thesis prints or that were timed, in their own order. */
  public List<Quantity> quantities() {
    return Arrays.stream(Quantity.values())
        .filter(quantity ->
            rows.stream()
                .anyMatch(row ->
                    row.thesis().printed(quantity).isPresent()
                        || row.measurements().stream()
                            .anyMatch(m -> m.figure(quantity).isPresent())))
        .toList();
  }

  /** The mean over all keys of all rows, in milliseconds; empty if none was timed. */
  public OptionalDouble overallMillis(Column column, Quantity quantity) {
    List<Figure> figures =
        rows.stream().map(row -> row.figure(column, quantity)).flatMap(Optional::stream).toList();
    return figures.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(sum(figures, Figure::totalMillis) / sum(figures, Figure::count));
  }

  /** The least time that the thesis prints for a quantity. */
  public OptionalDouble leastPrinted(Quantity quantity) {
    return rows.stream()
        .flatMap(row -> row.thesis().millis(quantity).stream())
        .mapToDouble(Double::doubleValue)
        .min();
  }

  /** The greatest time that the thesis prints for a quantity. */
  public OptionalDouble greatestPrinted(Quantity quantity) {
    return rows.stream()
        .flatMap(row -> row.thesis().millis(quantity).stream())
        .mapToDouble(Double::doubleValue)
        .max();
  }

  private static double sum(List<Figure> figures, ToDoubleFunction<Figure> value) {
    return figures.stream().mapToDouble(value).sum();
  }
}
