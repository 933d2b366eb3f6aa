package org.keywell.bench.tables.figure;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A row of a table as printed in the thesis, and how often it is measured here.
 *
 * @param name distinguishes the row within its table, such as {@code 1,000 keys}
 * @param count keys or requests; null if the thesis does not state it (Table 2-10)
 * @param totalMillis null if the thesis does not state it
 * @param threads that sign at the same time
 * @param kind what else distinguishes the row
 * @param byDefault enough keys or requests for a stable mean, few enough that all tables take
 *     minutes: each request needs a separate key, which takes a tenth of a second to generate
 */
public record ThesisRow(
    TableId table,
    String name,
    @Nullable Integer count,
    @Nullable Double totalMillis,
    int threads,
    Kind kind,
    Counts byDefault,
    List<Printed> printed) {

  /** Numbers of keys or requests, on the device as it is and on a simulated one. */
  public record Counts(int asItIs, int simulated) {}

  /** How rows of one table differ besides their numbers. */
  public enum Kind {
    PLAIN,
    /** From the database. */
    LOAD,
    /** To the database. */
    WRITE,
    /** The device is in another city, about 10 ms away (Stockholm). */
    REMOTE,
    /** The device is on site (Malmö). */
    NEAR
  }

  /** Returns the printed time of a quantity, if there is a single one. */
  public Optional<Double> millis(Quantity quantity) {
    return printed(quantity).filter(Printed::single).map(Printed::fromMillis);
  }

  /** Returns what is printed for a quantity, if anything is. */
  public Optional<Printed> printed(Quantity quantity) {
    return printed.stream().filter(p -> p.quantity() == quantity).findFirst();
  }
}
