package org.keywell.bench.tables.figure;

import java.util.List;
import java.util.Optional;

/** A row of the thesis with its measurements here; columns that were not measured are absent. */
public record MeasuredRow(ThesisRow thesis, List<Measurement> measurements) {

  /** Returns the row's measurement in a column, if there is one. */
  public Optional<Measurement> in(Column column) {
    return measurements.stream().filter(m -> m.column() == column).findFirst();
  }

  /** Whether the thesis prints a quantity, or it was timed in any column. */
  public boolean has(Quantity quantity) {
    return thesis.printed(quantity).isPresent()
        || measurements.stream().anyMatch(m -> m.figure(quantity).isPresent());
  }

  /** Returns a quantity's figure in a column, if it was timed there. */
  public Optional<Figure> figure(Column column, Quantity quantity) {
    return in(column).flatMap(measurement -> measurement.figure(quantity));
  }
}
