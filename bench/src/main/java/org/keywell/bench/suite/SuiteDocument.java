package org.keywell.bench.suite;

import java.util.List;
import org.keywell.loadgen.report.RunEnvironment;

/**
 * All data of a run, as in {@code bench.json}. All other reports are derived from it.
 *
 * @param format the version of this format
 * @param startedAt RFC 3339
 * @param interrupted whether it was ended early: parts may be missing
 * @param loadAverage of the machine in the minute before the run; negative if unknown
 * @param busy whether the machine had other work when the run started; if so, its figures must not
 *     be published
 * @param scale factor for the usual numbers of keys and requests
 */
public record SuiteDocument(
    int format,
    String startedAt,
    double durationSeconds,
    boolean interrupted,
    double loadAverage,
    boolean busy,
    int rounds,
    double scale,
    RunEnvironment environment,
    Machine machine,
    List<MeasuredPart> parts) {

  public static final int FORMAT = 1;

  public SuiteDocument {
    parts = List.copyOf(parts);
  }

  /** Whether everything that was planned was measured. */
  public boolean complete() {
    return !interrupted && parts.stream().allMatch(part -> part.failure() == null);
  }
}
