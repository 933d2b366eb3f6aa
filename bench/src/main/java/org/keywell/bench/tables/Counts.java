package org.keywell.bench.tables;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.Column;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.bench.tables.figure.ThesisRow;
import org.keywell.bench.tables.figure.ThesisTables;

/**
 * How many keys or requests each row is measured with.
 *
 * @param scale factor for the default counts; null: the thesis's counts instead
 */
public record Counts(@Nullable Double scale) {

  /** Enough for a stable mean, few enough that all tables take minutes. */
  private record Default(int asItIs, int simulated) {}

  // In the order of the tables' rows. Every request needs a separate key, which takes a tenth of a
  // second to generate, so the counts of the signing tables are low.
  private static final Map<TableId, List<Default>> DEFAULTS =
      new EnumMap<>(
          Map.of(
              TableId.GENERATION,
              List.of(new Default(10, 5), new Default(20, 10), new Default(50, 20)),
              TableId.WRAP_AND_SAVE,
              List.of(new Default(10, 5), new Default(20, 10), new Default(50, 20)),
              TableId.TRANSFER,
              List.of(
                  same(100),
                  same(500),
                  same(1_000),
                  same(5_000),
                  same(10_000),
                  same(100),
                  same(500),
                  same(1_000),
                  same(5_000),
                  same(10_000)),
              TableId.LOAD_AND_UNWRAP,
              List.of(
                  new Default(50, 25),
                  new Default(100, 50),
                  new Default(150, 75),
                  new Default(200, 100)),
              TableId.WHOLE_SIGNING,
              List.of(
                  new Default(50, 50),
                  new Default(100, 50),
                  new Default(100, 50),
                  new Default(200, 100),
                  new Default(200, 100)),
              TableId.THREADS,
              List.of(same(50), same(50), same(60), same(80), same(120), same(200)),
              TableId.SIGNING_WHILE_UNWRAPPING,
              List.of(new Default(200, 100), new Default(200, 100))));

  /** The thesis does not state the number of requests of its Table 2-10. */
  private static final int THESIS_REQUESTS_WITH_THREADS = 1_000;

  private static Default same(int count) {
    return new Default(count, count);
  }

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
    Default of = defaults(row.table()).get(ThesisTables.rows(row.table()).indexOf(row));
    int count = column.simulated() ? of.simulated() : of.asItIs();
    return (int) Math.max(row.threads(), Math.round(count * scale));
  }

  private static List<Default> defaults(TableId table) {
    List<Default> counts = DEFAULTS.get(table);
    if (counts == null) {
      throw new IllegalStateException("no default counts for table " + table);
    }
    return counts;
  }

  /** Describes the counts for reports. */
  public String words() {
    if (scale == null) {
      return "as many keys and requests as in the thesis";
    }
    return scale == 1 ? "default counts" : "default counts times " + scale;
  }
}
