package org.keywell.bench.suite;

import java.util.List;
import org.keywell.loadgen.report.RunEnvironment;

/**
 * All that is known of a run, as {@code bench.json} holds it. Everything else that is reported
 * comes from here.
 *
 * @param format the version of this form
 * @param startedAt RFC 3339
 * @param interrupted whether it was ended early: parts may be missing
 * @param loadAverage of the machine in the minute before the run; negative if unknown
 * @param busy whether the machine had other work when the run began: its figures are not to be
 *     published
 * @param scale how many times as many keys and requests as usual
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

  /** Whether all that was to be measured was. */
  public boolean complete() {
    return !interrupted && parts.stream().allMatch(part -> part.failure() == null);
  }
}
