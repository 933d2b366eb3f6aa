package org.keywell.bench.tables;

import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.ThesisRow;

/**
 * How many keys or requests each row is measured with.
 *
 * @param scale factor for the default counts; null: the thesis's counts instead
 */
public record Counts(@Nullable Double scale) {

  /** The thesis does not state the number of requests of its Table 2-10. */
  private static final int THESIS_REQUESTS_WITH_THREADS = 1_000;

  /** Returns the default counts, multiplied by {@code scale}. */
  public static Counts defaults(double scale) {
    return new Counts(scale);
  }

  /** Returns the thesis's counts. */
  public static Counts thesis() {
    return new Counts(null);
  }

  /** Returns a row's count: at least 1, and at least the number of signing threads. */
  public int of(ThesisRow row, Column column) {
    if (scale == null) {
      Integer printed = row.count();
      return printed == null ? THESIS_REQUESTS_WITH_THREADS : printed;
    }
    int count = column.simulated() ? row.byDefault().simulated() : row.byDefault().asItIs();
    return (int) Math.max(row.threads(), Math.round(count * scale));
  }

  /** Describes the counts for reports. */
  public String words() {
    if (scale == null) {
      return "as many keys and requests as in the thesis";
    }
    return scale == 1 ? "default counts" : "default counts times " + scale;
  }
}
