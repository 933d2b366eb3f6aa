package org.keywell.bench.tables.figure;

import java.util.Arrays;
import java.util.List;

/** A table of the thesis with the measurements here, rows in the thesis's order. */
public record MeasuredTable(TableId id, List<MeasuredRow> rows) {

  /** Returns the columns with any measurement, in their own order. */
  public List<Column> columns() {
    return Arrays.stream(Column.values())
        .filter(column -> rows.stream().anyMatch(row -> row.in(column).isPresent()))
        .toList();
  }

  /** Returns the quantities that the thesis prints or that were timed, in their own order. */
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
}
