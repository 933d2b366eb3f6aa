package org.keywell.bench.tables.figure;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table as the thesis prints it.
 *
 * @param name tells the row from others of its table, such as {@code 1,000 keys}
 * @param count keys or requests; null where the thesis does not tell (Table 2-10)
 * @param totalMillis null where it does not tell
 * @param threads that sign at the same time
 * @param kind what the row differs in besides
 */
public record ThesisRow(
    TableId table,
    String name,
    @Nullable Integer count,
    @Nullable Double totalMillis,
    int threads,
    Kind kind,
    List<Printed> printed) {

  /** In what rows of one table differ besides their numbers. */
  public enum Kind {
    PLAIN,
    /** Out of the database. */
    LOAD,
    /** Into the database. */
    WRITE,
    /** The device is in another city, about 10 ms away (Stockholm). */
    REMOTE,
    /** The device is on the spot (Malmö). */
    NEAR
  }

  /** The one time that is printed for a quantity, if it is. */
  public Optional<Double> millis(Quantity quantity) {
    return printed(quantity).filter(Printed::single).map(Printed::fromMillis);
  }

  /** What is printed for a quantity, if anything is. */
  public Optional<Printed> printed(Quantity quantity) {
    return printed.stream().filter(p -> p.quantity() == quantity).findFirst();
  }
}
