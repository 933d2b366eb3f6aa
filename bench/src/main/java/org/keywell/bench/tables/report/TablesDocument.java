package org.keywell.bench.tables.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.loadgen.report.RunEnvironment;

/**
 * All data of a run, as in {@code tables.json}. All other reports are derived from it.
 *
 * @param format the version of this format
 * @param startedAt RFC 3339
 * @param interrupted whether it was ended early: rows may be missing, or have fewer keys
 * @param failure what ended it, in one line; null if nothing did
 * @param simulatedProfile the device that simulated times imitate; null if all times are real
 * @param profiles the profiles with their times, in words
 * @param counts how many keys and requests were to be measured, in words
 * @param hsm the device underneath, simulated or not, in words
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
    List<MeasuredTable> tables) {

  public static final int FORMAT = 2;
}
