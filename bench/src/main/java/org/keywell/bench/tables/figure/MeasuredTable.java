package org.keywell.bench.tables.figure;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

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

  /**
   * What is typical over all rows, in milliseconds: the median of the rows' own {@link
   * Figure#typicalMillis()}, in which each row counts as often as it was timed. Empty if none was.
   */
  public OptionalDouble typicalMillis(Column column, Quantity quantity) {
    List<Figure> figures =
        figures(column, quantity)
            .sorted(Comparator.comparingDouble(Figure::typicalMillis))
            .toList();
    int left = (count(column, quantity) + 1) / 2;
    for (Figure figure : figures) {
      left -= figure.count();
      if (left <= 0) {
        return OptionalDouble.of(figure.typicalMillis());
      }
    }
    return OptionalDouble.empty();
  }

  /** How many were timed in all rows together. */
  public int count(Column column, Quantity quantity) {
    return figures(column, quantity).mapToInt(Figure::count).sum();
  }

  private Stream<Figure> figures(Column column, Quantity quantity) {
    return rows.stream().map(row -> row.figure(column, quantity)).flatMap(Optional::stream);
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
}
