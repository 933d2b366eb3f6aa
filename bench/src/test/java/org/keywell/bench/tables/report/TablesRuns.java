package org.keywell.bench.tables.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.keywell.bench.tables.figure.KeyBalance;
import org.keywell.bench.tables.figure.MeasuredTable;
import org.keywell.loadgen.report.RunEnvironment;

/** Runs as tests want them. */
final class TablesRuns {
  static final KeyBalance CLEAN = new KeyBalance(1_234, 1_234, 1, 1, 0);

  private TablesRuns() {}

  static TablesDocument run(
      List<MeasuredTable> tables,
      KeyBalance keys,
      @Nullable String simulated,
      @Nullable String failure) {
    return new TablesDocument(
        TablesDocument.FORMAT,
        "tables",
        "2026-01-02T03:04:05.678Z",
        12.3,
        failure != null,
        failure,
        simulated,
        simulated == null ? List.of() : List.of(simulated + ": signing 20.0 ms"),
        "default counts",
        RunEnvironment.here(Map.of("KEYWELL_REVISION", "abc123")),
        "token '<keywell>'",
        "PostgreSQL 17, fsync on",
        keys,
        tables);
  }
}
