package org.keywell.bench.tables.figure;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.List;

/** A table of the thesis with the measurements here, rows in the thesis's order. */
public record MeasuredTable(@JsonProperty("table") TableId id, List<MeasuredRow> rows) {

  @JsonProperty
  public String title() {
    return id.title();
  }

  /** Returns the columns with any measurement, in their own order. */
  public List<Column> columns() {
    return Arrays.stream(Column.values())
        .filter(column -> rows.stream().anyMatch(row -> row.in(column).isPresent()))
        .toList();
  }

  /** Returns the quantities that the thesis prints or that were timed, in their own order. */
  public List<Quantity> quantities() {
    return Arrays.stream(Quantity.values())
        .filter(quantity -> rows.stream().anyMatch(row -> row.has(quantity)))
        .toList();
  }
}
