package org.keywell.bench.tables.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.MeasuredRow;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.bench.tables.figure.TableId;
import org.keywell.loadgen.report.RunEnvironment;

/**
 * All that is known of a run, as {@code tables.json} holds it. Everything else that is reported
 * comes from here.
 *
 * @param format the version of this form
 * @param startedAt RFC 3339
 * @param interrupted whether it was ended early: rows may be missing, or have fewer keys
 * @param failure what ended it, in one line; null if nothing did
 * @param simulatedProfile the device that simulated times imitate; null if all times are real
 * @param profiles the profiles with their times, in words
 * @param counts how many keys and requests were to be measured, in words
 * @param hsm the device under the measurement, simulated or not, in words
 * @param database in words
 */
public record TablesDocument(
    int format,
    String command,
    String startedAt,
    double durationSeconds,
    boolean interrupted,
    @Nullable String failure,
    @Nullable String simulatedProfile,
    List<String> profiles,
    String counts,
    RunEnvironment environment,
    String hsm,
    String database,
    KeyBalance keys,
    List<Entry> tables) {

  public static final int FORMAT = 2;

  /** A table of the thesis, with what was measured beside it. */
  public record Entry(TableId table, String title, List<MeasuredRow> rows) {
    static Entry of(MeasuredTable table) {
      return new Entry(table.id(), table.id().title(), table.rows());
    }
  }

  /** All tables as they are reported. */
  public static List<Entry> entries(List<MeasuredTable> tables) {
    return tables.stream().map(Entry::of).toList();
  }
}
